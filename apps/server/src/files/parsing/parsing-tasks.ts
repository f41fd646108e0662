/** Tasks of the parsing threads, and their results. Each task begins a step before anything that may hang. */
import {
  chainSegments,
  type KernelFeatures,
  kernelFeatures,
  defaultChain,
  drawMolecule,
  findCore as findSharedCore,
  flatSmiles,
  isIsomeric,
  hasCoordinates,
  matchSubstructure as matchAll,
  parsed,
  readCompoundLines,
  readMolblock,
  readStructure,
  reportTarget,
  searchStructure as searchAll,
  standardise,
  unreadable,
  writeMolblock,
  type CommonCore,
  type CompoundLine,
  type CompoundLines,
  type OwnCell,
  type Parsed,
  type RdkitModule,
  type StructureSearch,
} from '@pkdex/biochem'
import type { CompoundReport, RejectedLine, TargetReport, Theme } from '@pkdex/contract'
import { describeProtein, drawProtein } from '@pkdex/protein-picture'
import {
  compoundRows,
  type Otherwise,
  type ReadLines,
  readTable,
  readValueText as readValues,
} from '@pkdex/intake'
import { decodePackedText } from './decode-text.ts'
import { beginStep, type TaskCall } from '#server/platform/jobs/thread-pool.ts'
import { COMPOUND_PICTURE, dropRdkit, healthyRdkit, withRdkit } from './rdkit-thread.ts'

export * from './alert-tasks.ts'

export type ReadTarget = {
  report: TargetReport
  /** Protein chains in file order; at least one. */
  chains: ReadChain[]
  /** Identifier of the protein chain that predictions use until the user selects another. */
  chain: string
}

type ReadChain = {
  id: string
  residues: number
  /** The observed sequence, cut at its gaps: the model's input. */
  segments: string[]
}

export type ReadCompound = {
  line: number
  name: string
  /** As uploaded. */
  smiles: string
  /** `report.standard_smiles` is the model's input. */
  report: CompoundReport
  /** The standard SMILES without stereochemistry; null if it has none. */
  flat: string | null
  /** Everything else that the file says about it, in the user's own columns. */
  own: OwnCell[]
}

export type ReadCompounds = {
  /** In file order. */
  compounds: ReadCompound[]
  rejected: RejectedLine[]
  /** Names that an earlier line of the file uses for another molecule, with their replacements. */
  renamed: { line: number; from: string; to: string }[]
}

export type Picture = {
  body: Uint8Array
  mediaType: 'image/webp' | 'image/svg+xml'
  /** The text alternative. */
  alt: string
}

export type ReadMolecule =
  | { ok: true; compound: ReadCompound }
  | { ok: false; line: number; text: string; reason: string }

/** Molecules read so far, in order; fewer than sent if the time of the turn was up or RDKit broke. */
export type ReadMolecules = { molecules: ReadMolecule[]; isBroken: boolean }

export type DrawnTarget = { width: number; height: number; rgba: Uint8ClampedArray; alt: string }

/** A turn of one user ends after this long, however much of the file is left. */
const TURN_MS = 120

const TARGET_PICTURE = { width: 800, height: 600 }
/** Displayed at less than half this size, so that lines are thin. */
const ROW_PICTURE = { width: 300, height: 160 }

export function readTarget({ input, steps }: TaskCall<Uint8Array>): Parsed<ReadTarget> {
  beginStep(steps)
  const text = decodePackedText(input)
  if (!text.ok) return text
  const structure = readStructure(text.value)
  if (!structure.ok) return structure
  const used = defaultChain(structure.value)
  if (used === null) return unreadable(0, 'The file has no protein chain.')
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

/** Includes blank lines and comments: a file of nothing else must not take long. */
const FILE_LINES_MAX = 100_000

export function splitCompounds({
  input: { bytes, fileStem },
  steps,
}: TaskCall<{ bytes: Uint8Array; fileStem: string }>): Parsed<CompoundLines> {
  beginStep(steps)
  try {
    const sheet = readTable(bytes, { linesMax: FILE_LINES_MAX })
    if (sheet.sheets.length > 1) return unreadable(0, severalSheets(sheet.sheets))
    return parsed(readCompoundLines(compoundRows(sheet), fileStem))
  } catch (error) {
    return unreadable(0, error instanceof Error ? error.message : String(error))
  }
}

export type ReadValueText = ReadLines & { hasHeader: boolean }

export function readValueText({
  input: { text, otherwise },
  steps,
}: TaskCall<{ text: string; otherwise: Otherwise }>): Parsed<ReadValueText> {
  beginStep(steps)
  try {
    return parsed(readValues(text, otherwise))
  } catch (error) {
    return unreadable(0, error instanceof Error ? error.message : String(error))
  }
}

function severalSheets(sheets: string[]): string {
  const names = sheets.map((name) => `“${name}”`).join(', ')
  return `The workbook has ${sheets.length} sheets (${names}). Save the one with the compounds as CSV.`
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
      dropRdkit()
      return { molecules, isBroken: true }
    }
    if (performance.now() > until) break
  }
  return { molecules, isBroken: false }
}

function readMolecule(
  rdkit: RdkitModule,
  { line, name, smiles: written, own = [], block }: CompoundLine,
): ReadMolecule {
  const smiles = block === undefined ? written : (readMolblock(rdkit, block) ?? '')
  if (smiles === '') {
    const reason = block === undefined ? 'This row has no SMILES.' : 'Its molecule cannot be read.'
    return { ok: false, line, text: name, reason }
  }
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
  const flat = isIsomeric(standard.standardSmiles)
    ? flatSmiles(rdkit, standard.standardSmiles)
    : null
  return { ok: true, compound: { line, name, smiles, report, flat, own } }
}

/** The features by which own values are compared, per molecule; null if it cannot be read. */
export async function readFingerprints(
  call: TaskCall<string[]>,
): Promise<(KernelFeatures | null)[]> {
  const rdkit = await healthyRdkit()
  try {
    return call.input.map((smiles) => {
      beginStep(call.steps)
      return kernelFeatures(rdkit, smiles)
    })
  } catch {
    dropRdkit()
    return call.input.map(() => null)
  }
}

/** Whether each molecule contains the substructure. */
export async function matchSubstructure(
  call: TaskCall<{ smarts: string; smiles: string[] }>,
): Promise<Parsed<boolean[]>> {
  return withRdkit((rdkit) => {
    const matches = matchAll(rdkit, call.input, () => beginStep(call.steps))
    return matches === null ? unreadable(0, 'This is not valid SMARTS.') : parsed(matches)
  })
}

/** The similarity of each molecule to a drawn one; null if it does not match. */
export async function searchStructure(
  call: TaskCall<StructureSearch>,
): Promise<Parsed<(number | null)[]>> {
  return withRdkit((rdkit) => {
    return searchAll(rdkit, call.input, () => beginStep(call.steps))
  })
}

/** The mol block of each molecule, with coordinates; null if it cannot be read. */
export async function writeMolblocks(call: TaskCall<string[]>): Promise<(string | null)[]> {
  return withRdkit((rdkit) => {
    return call.input.map((smiles) => {
      beginStep(call.steps)
      return writeMolblock(rdkit, smiles)
    })
  })
}

export async function drawCompound(
  call: TaskCall<{ smiles: string; theme: Theme }>,
): Promise<Parsed<Picture>> {
  return withRdkit((rdkit) => {
    beginStep(call.steps)
    const options = { ...COMPOUND_PICTURE, theme: call.input.theme }
    const drawn = drawMolecule(rdkit, call.input.smiles, options)
    if (!drawn.ok) return unreadable(0, drawn.reason)
    return parsed({ body: Buffer.from(drawn.svg), mediaType: 'image/svg+xml', alt: drawn.alt })
  })
}

/** The common core of the molecules of a list, for `drawCompounds`; null if they have little in common. */
export async function findCore(call: TaskCall<string[]>): Promise<CommonCore | null> {
  return withRdkit((rdkit) => {
    beginStep(call.steps)
    return findSharedCore(rdkit, call.input)
  })
}

export type SmallPictures = { smiles: string[]; core: CommonCore | null; theme: Theme }

/** For rows of a list: smaller than `drawCompound`, in the same orientation; null for one that cannot be drawn. */
export async function drawCompounds(call: TaskCall<SmallPictures>): Promise<(Picture | null)[]> {
  return withRdkit((rdkit) => {
    const { smiles, core, theme } = call.input
    return smiles.map((one) => {
      beginStep(call.steps)
      const drawn = drawMolecule(rdkit, one, { ...ROW_PICTURE, core, theme })
      if (!drawn.ok) return null
      return { body: Buffer.from(drawn.svg), mediaType: 'image/svg+xml', alt: drawn.alt }
    })
  })
}

export function drawTarget(
  call: TaskCall<{ bytes: Uint8Array; theme: Theme }>,
): Parsed<DrawnTarget> {
  beginStep(call.steps)
  const text = decodePackedText(call.input.bytes)
  if (!text.ok) return text
  const structure = readStructure(text.value)
  if (!structure.ok) return structure
  if (!hasCoordinates(structure.value)) return unreadable(0, 'A sequence has no structure to draw.')
  const size = { ...TARGET_PICTURE, theme: call.input.theme }
  return parsed({ ...drawProtein(structure.value, size), alt: describeProtein(structure.value) })
}
