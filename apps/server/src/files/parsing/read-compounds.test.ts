import type { CompoundLine } from '@pkdex/biochem'
import type { CompoundReport } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { readCompounds } from './read-compounds.ts'
import type { ReadMolecule, ReadMolecules } from './parsing-tasks.ts'
import type { Outcome } from '#server/platform/jobs/thread-pool.ts'

const report: CompoundReport = {
  formula: 'CH4',
  mass: 16.04,
  heavy_atoms: 1,
  standard_smiles: 'C',
  stripped: [],
  neutralised: 0,
  warnings: [],
}

function file(...smiles: string[]): CompoundLine[] {
  return smiles.map((text, index) => ({ line: index + 1, smiles: text, name: `m${index + 1}` }))
}

/** A thread that reads at most `turn` molecules, hangs on `HANG`, breaks on `TRAP`, dies on `DIE`, refuses `BAD`. */
function thread(turn = Infinity) {
  const chunks: string[][] = []
  async function runChunk(chunk: CompoundLine[]): Promise<Outcome<ReadMolecules>> {
    chunks.push(chunk.map((molecule) => molecule.smiles))
    const molecules: ReadMolecule[] = []
    for (const [index, molecule] of chunk.slice(0, turn).entries()) {
      const step = index + 1
      if (molecule.smiles === 'HANG') return { kind: 'stalled', step }
      if (molecule.smiles === 'DIE') return { kind: 'crashed', step, error: new Error('exit') }
      if (molecule.smiles === 'TRAP') return { kind: 'done', output: { molecules, isBroken: true } }
      molecules.push(read(molecule))
    }
    return { kind: 'done', output: { molecules, isBroken: false } }
  }
  return { chunks, runChunk }
}

function read({ line, smiles, name }: CompoundLine): ReadMolecule {
  return smiles === 'BAD'
    ? { ok: false, line, text: smiles, reason: 'bad' }
    : { ok: true, compound: { line, smiles, name, report, flat: null, own: [] } }
}

test('an invalid molecule does not affect others', async () => {
  const result = await readCompounds(file('C', 'BAD', 'CC'), thread().runChunk)
  expect(result.compounds.map((compound) => compound.name)).toEqual(['m1', 'm3'])
  expect(result.rejected).toEqual([{ line: 2, text: 'BAD', reason: 'bad' }])
})

test('continues where the last turn ended', async () => {
  const { chunks, runChunk } = thread(2)
  const result = await readCompounds(file('C', 'CC', 'CCC', 'CCCC', 'N'), runChunk)
  expect(result.compounds.map((compound) => compound.line)).toEqual([1, 2, 3, 4, 5])
  expect(chunks).toHaveLength(3)
})

test('reports a molecule that hangs as its line and reads the others again', async () => {
  const { chunks, runChunk } = thread()
  const result = await readCompounds(file('C', 'HANG', 'CC'), runChunk)
  expect(result.compounds.map((compound) => compound.line)).toEqual([1, 3])
  expect(result.rejected).toEqual([
    { line: 2, text: 'HANG', reason: 'The compound takes too long to process.' },
  ])
  expect(chunks).toEqual([
    ['C', 'HANG', 'CC'],
    ['C', 'CC'],
  ])
})

test('reports a molecule that breaks RDKit or its thread, and keeps earlier results', async () => {
  const trapped = thread()
  const result = await readCompounds(file('C', 'TRAP', 'DIE', 'CC'), trapped.runChunk)
  expect(result.compounds.map((compound) => compound.line)).toEqual([1])
  expect(result.rejected.slice(0, 2).map((line) => line.reason)).toEqual([
    'The compound cannot be processed.',
    'The compound cannot be processed.',
  ])
})

test('stops reading a file whose molecules keep hanging', async () => {
  const { chunks, runChunk } = thread()
  const result = await readCompounds(file('HANG', 'HANG', 'HANG', 'C'), runChunk)
  expect(chunks).toHaveLength(2)
  expect(result.compounds).toEqual([])
  expect(result.rejected.map((line) => line.line)).toEqual([1, 2, 3, 4])
  expect(result.rejected.at(-1)?.reason).toContain('Skipped')
})

test('shows only the beginning of a long invalid line', async () => {
  const long = 'BAD'.padEnd(50_000, 'C')
  const refuse = async (chunk: CompoundLine[]): Promise<Outcome<ReadMolecules>> => ({
    kind: 'done',
    output: {
      isBroken: false,
      molecules: chunk.map(({ line, smiles }) => ({
        ok: false,
        line,
        text: smiles,
        reason: 'long',
      })),
    },
  })
  const result = await readCompounds(file(long), refuse)
  expect(result.rejected[0]?.text.length).toBeLessThanOrEqual(200)
})

test('a thread that never starts is a server error, not the file’s', async () => {
  const broken = async (): Promise<Outcome<ReadMolecules>> => ({ kind: 'stalled', step: 0 })
  await expect(readCompounds(file('C'), broken)).rejects.toThrow('did not start')
})
