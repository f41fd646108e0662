/** What the workshop's threads do. Each task begins a step before anything that may not come back. */
import {
  chainSegments,
  describeProtein,
  drawMolecule,
  drawProtein,
  longestProteinChain,
  openRdkit,
  parsed,
  readCompoundLines,
  readStructure,
  reportTarget,
  standardise,
  unreadable,
  type CompoundLine,
  type CompoundLines,
  type Parsed,
  type RdkitModule,
} from '@pkdex/biochem'
import type { CompoundReport, Theme } from '@pkdex/contract'
import { decodeText } from './decode-text.ts'
import { beginStep, type TaskCall } from './thread-pool.ts'
import type { Picture, ReadCompound, ReadTarget } from './workshop.ts'

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
  const text = decodeText(input)
  if (!text.ok) return text
  const structure = readStructure(text.value)
  if (!structure.ok) return structure
  const longest = longestProteinChain(structure.value)
  if (longest === null) return unreadable(0, 'The file has no protein chain to predict on.')
  const proteins = structure.value.chains.filter((chain) => chain.kind === 'protein')
  return parsed({
    report: reportTarget(structure.value),
    chains: proteins.map((chain) => ({
      id: chain.id,
      residues: chain.residues.length,
      segments: chainSegments(chain),
    })),
    chain: longest.id,
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

function readMolecule(rdkit: RdkitModule, { line, name, smiles }: CompoundLine): ReadMolecule {
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
  return { ok: true, compound: { line, name, smiles, report } }
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

export function drawTarget(
  call: TaskCall<{ bytes: Uint8Array; theme: Theme }>,
): Parsed<DrawnTarget> {
  beginStep(call.steps)
  const text = decodeText(call.input.bytes)
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
