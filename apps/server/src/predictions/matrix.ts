/** All pairs of a screen as compact columns, for a heat map. */
import {
  compoundProperties,
  CORE_COMPOUNDS_MAX,
  matrixFlags,
  MATRIX_NO_POSE,
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

/** `failed`: places of the pairs that were tried and have no number. */
type Source = { input: InputRow[]; failed: number[]; withDetails: boolean; gone: AbortSignal }

export async function readMatrix(
  db: Database,
  table: ScreenTable,
  { input, failed, withDetails, gone }: Source,
): Promise<ScreenMatrix> {
  const smiles = input.map(({ standard }) => standard ?? '')
  const columns = openColumns(table, { first: 0, count: input.length * table.targets.length })
  for await (const numbers of readNumbers(db, table, { gone })) columns.write(numbers)
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

/** The part of the matrix with these rows. */
export async function readMatrixRows(
  db: Database,
  table: Omit<ScreenTable, 'compounds'>,
  { firstRow, rows, failed }: { firstRow: number; rows: number; failed: number[] },
): Promise<Pick<ScreenMatrix, 'predicted_kd' | 'flags'>> {
  const width = table.targets.length
  const columns = openColumns(
    { ...table, compounds: rows },
    { first: firstRow * width, count: rows * width },
  )
  const range = { from: firstRow, to: firstRow + rows }
  for await (const numbers of readNumbers(db, { ...table, compounds: rows }, range)) {
    columns.write(numbers)
  }
  columns.markFailed(failed)
  return columns.shown()
}

function openColumns(
  { targets: { length: width }, structure }: ScreenTable,
  { first, count }: { first: number; count: number },
) {
  const [predicted, widths, lowers] = [2, 2, 2].map((bytes) => Buffer.alloc(count * bytes))
  const [flags, compounds, targets] = [1, 1, 1].map((bytes) => Buffer.alloc(count * bytes))
  const adjusted = structure === null ? null : Buffer.alloc(count * 2)
  if (!predicted || !widths || !lowers || !flags || !compounds || !targets) throw new Error('none')
  for (let at = 0; at < count; at += 1) adjusted?.writeInt16LE(MATRIX_NO_POSE, at * 2)
  const inSteps = (millionths: number) =>
    Math.round((millionths / STEPS_PER_PKD) * MATRIX_STEPS_PER_PKD)
  return {
    write(numbers: PlacedNumber[]) {
      for (const number of numbers) {
        const at = number.place - first
        flags[at] = flagsOf(number)
        predicted.writeInt16LE(inSteps(number.predicted), at * 2)
        widths.writeUInt16LE(Math.min(inSteps(number.upper - number.lower), 0xffff), at * 2)
        lowers.writeInt16LE(inSteps(number.lower), at * 2)
        compounds[at] = similarityIn(number.compound_similarity)
        targets[at] = similarityIn(number.target_similarity)
        const shift = structure?.(Math.floor(number.place / width), number.place % width)
        if (typeof shift !== 'number') continue
        adjusted?.writeInt16LE(inSteps(number.predicted + shift * STEPS_PER_PKD), at * 2)
      }
    },
    markFailed(places: number[]) {
      for (const place of places) flags[place - first] = matrixFlags.isFailed
    },
    shown: () => ({
      predicted_kd: predicted.toString('base64'),
      flags: flags.toString('base64'),
    }),
    details: () => ({
      interval_width: widths.toString('base64'),
      interval_lower: lowers.toString('base64'),
      compound_similarity: compounds.toString('base64'),
      target_similarity: targets.toString('base64'),
      ...(adjusted !== null && { structure_adjusted: adjusted.toString('base64') }),
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
      return pk === null ? [] : [{ place, pk: Math.round(pk * 1e6) / 1e6 }]
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
