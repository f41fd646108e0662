/** What the parsing workers do, and what they answer. Each task begins a step before anything that may not come back. */
import {
  chainSegments,
  compoundFeatures,
  defaultChain,
  drawMolecule,
  matchSubstructure as matchAll,
  openRdkit,
  parsed,
  readCompoundLines,
  readProperties,
  readStructure,
  reportTarget,
  standardise,
  unreadable,
  writeMolblock,
  type CompoundLine,
  type CompoundLines,
  type MoleculeProperties,
  type OwnCell,
  type Parsed,
  type RdkitModule,
} from '@pkdex/biochem'
import type { CompoundReport, RejectedLine, TargetReport, Theme } from '@pkdex/contract'
import { describeProtein, drawProtein } from '@pkdex/protein-picture'
import { decodePackedText, decodeText } from './decode-text.ts'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'

export type ReadTarget = {
  report: TargetReport
  /** Protein chains in file order; at least one. */
  chains: ReadChain[]
  /** Identifier of the protein chain that predictions use until the user picks another. */
  chain: string
}

type ReadChain = {
  id: string
  residues: number
  /** The observed sequence, cut at its gaps: what the model gets of the chain. */
  segments: string[]
}

export type ReadCompound = {
  line: number
  name: string
  /** As it was uploaded. */
  smiles: string
  /** `report.standard_smiles` is what the model gets. */
  report: CompoundReport
  /** What else the file says of it, in its own columns. */
  own: OwnCell[]
}

export type ReadCompounds = {
  /** In file order. */
  compounds: ReadCompound[]
  rejected: RejectedLine[]
  /** Names that an earlier line of the file has for another molecule, and what they became. */
  renamed: { line: number; from: string; to: string }[]
}

export type Picture = {
  body: Uint8Array
  mediaType: 'image/webp' | 'image/svg+xml'
  /** What the picture shows, for people who do not see it. */
  alt: string
}

export type ReadMolecule =
  | { ok: true; compound: ReadCompound }
  | { ok: false; line: number; text: string; reason: string }

/** Molecules read so far, in order; fewer than were sent where the time for one turn was over or RDKit broke. */
export type ReadMolecules = { molecules: ReadMolecule[]; isBroken: boolean }

export type DrawnTarget = { width: number; height: number; rgba: Uint8ClampedArray; alt: string }

/** A turn of one user ends after this long, whatever is left of the file. */
const TURN_MS = 120

const TARGET_PICTURE = { width: 800, height: 600 }
const COMPOUND_PICTURE = { width: 640, height: 480 }

export function readTarget({ input, steps }: TaskCall<Uint8Array>): Parsed<ReadTarget> {
  beginStep(steps)
  const text = decodePackedText(input)
  if (!text.ok) return text
  const structure = readStructure(text.value)
  if (!structure.ok) return structure
  const used = defaultChain(structure.value)
  if (used === null) return unreadable(0, 'The file has no protein chain to predict on.')
  const proteins = structure.value.chains.filter((chain) => chain.kind === 'protein')
  return parsed({
    report: reportTarget(structure.value),
    chains: proteins.map((chain) => ({
      id: chain.id,
      residues: chain.residues.length,
      segments: chainSegments(chain),
    })),
    chain: used.id,
  })
}

export function splitCompounds(
  call: TaskCall<{ bytes: Uint8Array; fileStem: string }>,
): Parsed<CompoundLines> {
  beginStep(call.steps)
  const text = decodeText(call.input.bytes)
  return text.ok ? parsed(readCompoundLines(text.value, call.input.fileStem)) : text
}

export async function readMolecules(call: TaskCall<CompoundLine[]>): Promise<ReadMolecules> {
  const rdkit = await healthyRdkit()
  const molecules: ReadMolecule[] = []
  const until = performance.now() + TURN_MS
  for (const molecule of call.input) {
    beginStep(call.steps)
    try {
      molecules.push(readMolecule(rdkit, molecule))
    } catch {
      openedRdkit = null
      return { molecules, isBroken: true }
    }
    if (performance.now() > until) break
  }
  return { molecules, isBroken: false }
}

function readMolecule(
  rdkit: RdkitModule,
  { line, name, smiles, own = [] }: CompoundLine,
): ReadMolecule {
  const standard = standardise(rdkit, smiles)
  if (!standard.ok) return { ok: false, line, text: smiles, reason: standard.reason }
  const report: CompoundReport = {
    formula: standard.formula,
    mass: standard.mass,
    heavy_atoms: standard.heavyAtoms,
    standard_smiles: standard.standardSmiles,
    stripped: standard.stripped,
    neutralised: standard.neutralised,
    warnings: standard.warnings,
  }
  return { ok: true, compound: { line, name, smiles, report, own } }
}

/** Of each molecule the bits of its fingerprints; null where it cannot be read. */
export async function readFingerprints(call: TaskCall<string[]>): Promise<(Uint16Array | null)[]> {
  const rdkit = await healthyRdkit()
  try {
    return call.input.map((smiles) => {
      beginStep(call.steps)
      return compoundFeatures(rdkit, smiles).bits
    })
  } catch {
    openedRdkit = null
    return call.input.map(() => null)
  }
}

/** Of each molecule whether it holds the substructure. */
export async function matchSubstructure(
  call: TaskCall<{ smarts: string; smiles: string[] }>,
): Promise<Parsed<boolean[]>> {
  const rdkit = await healthyRdkit()
  try {
    const matches = matchAll(rdkit, call.input, () => beginStep(call.steps))
    return matches === null ? unreadable(0, 'The SMARTS cannot be read.') : parsed(matches)
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

/** Of each molecule its block with coordinates; null where it cannot be read. */
export async function writeMolblocks(call: TaskCall<string[]>): Promise<(string | null)[]> {
  const rdkit = await healthyRdkit()
  try {
    return call.input.map((smiles) => {
      beginStep(call.steps)
      return writeMolblock(rdkit, smiles)
    })
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

export async function drawCompound(
  call: TaskCall<{ smiles: string; theme: Theme }>,
): Promise<Parsed<Picture>> {
  const rdkit = await healthyRdkit()
  beginStep(call.steps)
  try {
    const options = { ...COMPOUND_PICTURE, theme: call.input.theme }
    const drawn = drawMolecule(rdkit, call.input.smiles, options)
    if (!drawn.ok) return unreadable(0, drawn.reason)
    return parsed({ body: Buffer.from(drawn.svg), mediaType: 'image/svg+xml', alt: drawn.alt })
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

export async function describeCompound(
  call: TaskCall<{ smiles: string }>,
): Promise<Parsed<MoleculeProperties>> {
  const rdkit = await healthyRdkit()
  beginStep(call.steps)
  try {
    return readProperties(rdkit, call.input.smiles)
  } catch (error) {
    openedRdkit = null
    throw error
  }
}

export function drawTarget(
  call: TaskCall<{ bytes: Uint8Array; theme: Theme }>,
): Parsed<DrawnTarget> {
  beginStep(call.steps)
  const text = decodePackedText(call.input.bytes)
  if (!text.ok) return text
  const structure = readStructure(text.value)
  if (!structure.ok) return structure
  const size = { ...TARGET_PICTURE, theme: call.input.theme }
  return parsed({ ...drawProtein(structure.value, size), alt: describeProtein(structure.value) })
}

let openedRdkit: Promise<RdkitModule> | null = openWarmRdkit()

/** An exception inside WebAssembly leaves the module in an unknown state: the next task gets a fresh one. */
function healthyRdkit(): Promise<RdkitModule> {
  openedRdkit ??= openWarmRdkit()
  return openedRdkit
}

/** What is called for the first time is compiled first, and that is not the first molecule's fault. */
async function openWarmRdkit(): Promise<RdkitModule> {
  const rdkit = await openRdkit()
  standardise(rdkit, 'C[C@H](N)C(=O)[O-].[Na+]')
  drawMolecule(rdkit, 'C[C@H](N)C(=O)O', { ...COMPOUND_PICTURE, theme: 'light' })
  return rdkit
}
