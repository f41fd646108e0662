/**
 * Reads the molecules of a file in short turns, so that other users get theirs in between. A molecule
 * that hangs or breaks RDKit is reported as its own line; a file that keeps doing so is not read on.
 */
import type { CompoundLine } from '@pkdex/biochem'
import type { RejectedLine } from '@pkdex/contract'
import type { ReadCompound, ReadCompounds, ReadMolecule, ReadMolecules } from './parsing-tasks.ts'
import type { Outcome } from '#server/platform/jobs/thread-pool.ts'

type SortedOut = Pick<ReadCompounds, 'compounds' | 'rejected'>

/** Molecules handed to a thread at once; it hands back those it had no time for. */
const CHUNK_MOLECULES = 100
const FAULTS_MAX = 2
/** A whole file may take this long, turns of others included. */
const FILE_MS_MAX = 60_000
const SHOWN_CHARACTERS = 120

const tooSlow = 'The molecule takes too long to read.'
const unsafe = 'The molecule cannot be read safely.'
const afterFaults = 'Not read, because other molecules of this file could not be read safely.'
const outOfTime = 'Not read, because the file took too long; please upload it in smaller parts.'

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
 * `fault` holds the molecule that took the thread or RDKit down, if one did; what was read before it
 * in a stalled turn is lost with its thread and read again.
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
