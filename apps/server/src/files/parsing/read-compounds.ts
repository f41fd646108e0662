/**
 * Reads the molecules of a file in short turns, so that other users get theirs in between. A molecule
 * that hangs or breaks RDKit is reported by its line; after too many of them, reading stops.
 */
import type { CompoundLine } from '@pkdex/biochem'
import type { RejectedLine } from '@pkdex/contract'
import type { ReadCompound, ReadCompounds, ReadMolecule, ReadMolecules } from './parsing-tasks.ts'
import type { Outcome } from '#server/platform/jobs/thread-pool.ts'

type SortedOut = Pick<ReadCompounds, 'compounds' | 'rejected'>

/** Molecules per message to a thread; it returns those it had no time to read. */
const CHUNK_MOLECULES = 100
const FAULTS_MAX = 2
/** Maximum time for a whole file, including other users' turns. */
const FILE_MS_MAX = 60_000
const SHOWN_CHARACTERS = 120

const tooSlow = 'The compound takes too long to process.'
const unsafe = 'The compound cannot be processed.'
const afterFaults = 'Skipped, because other compounds in this file could not be processed.'
const outOfTime = 'Skipped, because the file took too long. Split it into smaller files.'

type RunChunk = (chunk: CompoundLine[]) => Promise<Outcome<ReadMolecules>>

export async function readCompounds(
  molecules: CompoundLine[],
  runChunk: RunChunk,
): Promise<SortedOut> {
  const until = performance.now() + FILE_MS_MAX
  const read: ReadMolecule[] = []
  let rest = molecules
  let faults = 0
  while (rest.length > 0 && faults < FAULTS_MAX && performance.now() < until) {
    const chunk = rest.slice(0, CHUNK_MOLECULES)
    const { done, fault } = readChunk(chunk, await runChunk(chunk))
    faults += fault.length
    read.push(...done, ...fault)
    const lines = new Set([...done, ...fault].map((molecule) => lineOf(molecule)))
    rest = rest.filter((molecule) => !lines.has(molecule.line))
  }
  const reason = faults < FAULTS_MAX ? outOfTime : afterFaults
  return sortOut([...read, ...rest.map((molecule) => rejected(molecule, reason))])
}

/**
 * `fault` is the molecule that broke the thread or RDKit, if there is one. Results of a hung turn are lost with its
 * thread and read again.
 */
function readChunk(
  chunk: CompoundLine[],
  outcome: Outcome<ReadMolecules>,
): { done: ReadMolecule[]; fault: ReadMolecule[] } {
  switch (outcome.kind) {
    case 'done': {
      const { molecules, isBroken } = outcome.output
      const culprit = isBroken ? chunk[molecules.length] : undefined
      return { done: molecules, fault: culprit ? [rejected(culprit, unsafe)] : [] }
    }
    case 'stalled':
    case 'crashed': {
      const culprit = chunk[outcome.step - 1]
      if (culprit === undefined) throw new Error('a thread did not start', { cause: outcome })
      return { done: [], fault: [rejected(culprit, outcome.kind === 'stalled' ? tooSlow : unsafe)] }
    }
  }
}

function rejected({ line, smiles }: CompoundLine, reason: string): ReadMolecule {
  return { ok: false, line, text: smiles, reason }
}

function lineOf(molecule: ReadMolecule): number {
  return molecule.ok ? molecule.compound.line : molecule.line
}

function sortOut(molecules: ReadMolecule[]): SortedOut {
  const compounds: ReadCompound[] = []
  const rejectedLines: RejectedLine[] = []
  for (const molecule of molecules.toSorted((a, b) => lineOf(a) - lineOf(b))) {
    if (molecule.ok) compounds.push(molecule.compound)
    else {
      const { line, reason } = molecule
      rejectedLines.push({ line, text: molecule.text.slice(0, SHOWN_CHARACTERS), reason })
    }
  }
  return { compounds, rejected: rejectedLines }
}
