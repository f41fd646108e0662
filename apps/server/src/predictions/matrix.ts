/** All pairs of a screen as compact columns, for a heat map. */
import {
  compoundProperties,
  CORE_COMPOUNDS_MAX,
  matrixFlags,
  MATRIX_STEPS_OF_SIMILARITY,
  MATRIX_STEPS_PER_PKD,
  type ScreenMatrix,
} from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { STEPS_OF_SIMILARITY, STEPS_PER_PKD } from './pair-number.ts'
import type { InputRow } from './plan.ts'
import { flagsOf } from './results.ts'
import { measuredOf } from './row-details.ts'
import { type PlacedNumber, readNumbers, type ScreenTable } from './screen-table.ts'
import { moveNumbers } from './table-estimates.ts'
import { round } from '#server/platform/round.ts'

/** `failed`: places of the pairs that were tried and have no number. */
type Source = { input: InputRow[]; failed: number[]; withDetails: boolean; gone: AbortSignal }

export async function readMatrix(
  db: Database,
  table: ScreenTable,
  { input, failed, withDetails, gone }: Source,
): Promise<ScreenMatrix> {
  const smiles = input.map(({ standard }) => standard ?? '')
  const columns = openColumns({ first: 0, count: input.length * table.targets.length })
  for await (const numbers of readNumbers(db, table, { gone })) {
    columns.write(await moveNumbers(table, numbers, { input }))
  }
  columns.markFailed(failed)
  const details = withDetails
    ? {
        smiles,
        measured: listMeasured(table, input),
        ...columns.details(),
        ...packProperties(table, input),
      }
    : {}
  return {
    targets: table.targets,
    compounds: input.map(({ name }) => name),
    sample: sampleOf(smiles),
    ...columns.shown(),
    ...details,
  }
}

type Block = { firstRow: number; rows: number; input: InputRow[]; failed: number[] }

/** The part of the matrix with these rows. */
export async function readMatrixRows(
  db: Database,
  table: ScreenTable,
  { firstRow, rows, input, failed }: Block,
): Promise<Pick<ScreenMatrix, 'best_kd' | 'flags'>> {
  const width = table.targets.length
  const columns = openColumns({ first: firstRow * width, count: rows * width })
  const range = { from: firstRow, to: firstRow + rows }
  for await (const numbers of readNumbers(db, { ...table, compounds: rows }, range)) {
    columns.write(await moveNumbers(table, numbers, { input, first: firstRow }))
  }
  columns.markFailed(failed)
  return columns.shown()
}

function openColumns({ first, count }: { first: number; count: number }) {
  const [best, widths, lowers] = [2, 2, 2].map((bytes) => Buffer.alloc(count * bytes))
  const [flags, compounds, targets] = [1, 1, 1].map((bytes) => Buffer.alloc(count * bytes))
  if (!best || !widths || !lowers || !flags || !compounds || !targets) throw new Error('none')
  const inSteps = (millionths: number) =>
    Math.round((millionths / STEPS_PER_PKD) * MATRIX_STEPS_PER_PKD)
  return {
    write(numbers: PlacedNumber[]) {
      for (const number of numbers) {
        const at = number.place - first
        flags[at] = flagsOf(number)
        best.writeInt16LE(inSteps(number.predicted), at * 2)
        widths.writeUInt16LE(Math.min(inSteps(number.upper - number.lower), 0xffff), at * 2)
        lowers.writeInt16LE(inSteps(number.lower), at * 2)
        compounds[at] = similarityIn(number.compound_similarity)
        targets[at] = similarityIn(number.target_similarity)
      }
    },
    markFailed(places: number[]) {
      for (const place of places) flags[place - first] = matrixFlags.isFailed
    },
    shown: () => ({
      best_kd: best.toString('base64'),
      flags: flags.toString('base64'),
    }),
    details: () => ({
      interval_width: widths.toString('base64'),
      interval_lower: lowers.toString('base64'),
      compound_similarity: compounds.toString('base64'),
      target_similarity: targets.toString('base64'),
    }),
  }
}

function sampleOf(smiles: string[]): string[] {
  const readable = smiles.filter((one) => one !== '')
  const step = Math.max(1, readable.length / CORE_COMPOUNDS_MAX)
  const places = Array.from(
    { length: CORE_COMPOUNDS_MAX },
    (_, at) => readable[Math.floor(at * step)],
  )
  return [...new Set(places)].flatMap((one) => one ?? [])
}

function similarityIn(steps: number): number {
  return Math.round((steps / STEPS_OF_SIMILARITY) * MATRIX_STEPS_OF_SIMILARITY)
}

function listMeasured(table: ScreenTable, input: InputRow[]): ScreenMatrix['measured'] {
  const width = table.targets.length
  const measured = [...table.targets.keys()].filter((at) => table.details?.measured[at]?.size)
  return input.flatMap((row, at) =>
    measured.flatMap((column) => {
      const place = at * width + column
      const pk = measuredOf(table, { place, input: row })
      return pk === null ? [] : [{ place, pk: round(pk, 6) }]
    }),
  )
}

function packProperties(
  { details }: ScreenTable,
  input: InputRow[],
): Pick<ScreenMatrix, 'properties'> {
  if (details === undefined) return {}
  const width = compoundProperties.length
  const packed = Buffer.alloc(input.length * width * 4)
  for (const [row, { standard }] of input.entries()) {
    const properties = standard === null ? undefined : details.facts.get(standard)?.properties
    for (const [at, name] of compoundProperties.entries()) {
      packed.writeFloatLE(properties?.[name] ?? Number.NaN, (row * width + at) * 4)
    }
  }
  return { properties: packed.toString('base64') }
}
