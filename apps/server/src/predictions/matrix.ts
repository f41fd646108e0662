/** All cells of a screen as compact columns, for a heat map. */
import {
  compoundProperties,
  CORE_COMPOUNDS_MAX,
  MATRIX_NO_POSE,
  MATRIX_STEPS_OF_SIMILARITY,
  MATRIX_STEPS_PER_PKD,
  type ScreenMatrix,
} from '@pkdex/contract'
import { CELL_BYTES, hasNumber, readCell, readFlags, readPredicted } from './cells.ts'
import { measuredAt } from './row-details.ts'
import type { ScreenTable } from './screen-table.ts'
import { structureKey } from './structure-numbers.ts'

export function toMatrix(table: ScreenTable, withDetails: boolean): ScreenMatrix {
  const { targets, rows, cells } = table
  const compounds = rows.map(({ name }) => name)
  const smiles = rows.map(({ standard }) => standard ?? '')
  const details = withDetails
    ? {
        smiles,
        measured: listMeasured(table),
        ...packDetails(cells),
        ...packAdjusted(table),
        ...packProperties(table),
      }
    : {}
  return { targets, compounds, sample: sampleOf(smiles), ...packMatrix(cells), ...details }
}

function listMeasured(table: ScreenTable): ScreenMatrix['measured'] {
  const { rows, targets, details } = table
  const pairs: { place: number; pk: number }[] = []
  for (const [column, values] of (details?.measured ?? []).entries()) {
    if (values.size === 0) continue
    for (const row of rows.keys()) {
      const place = row * targets.length + column
      const pk = measuredAt(table, place)
      if (pk !== null) pairs.push({ place, pk: Math.round(pk * 1e6) / 1e6 })
    }
  }
  return pairs
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

function packProperties({ rows, details }: ScreenTable): Pick<ScreenMatrix, 'properties'> {
  if (details === undefined) return {}
  const width = compoundProperties.length
  const packed = Buffer.alloc(rows.length * width * 4)
  for (const [row, { standard }] of rows.entries()) {
    const properties = standard === null ? undefined : details.facts.get(standard)?.properties
    for (const [at, name] of compoundProperties.entries()) {
      packed.writeFloatLE(properties?.[name] ?? Number.NaN, (row * width + at) * 4)
    }
  }
  return { properties: packed.toString('base64') }
}

function packAdjusted(table: ScreenTable): Pick<ScreenMatrix, 'structure_adjusted'> {
  const { cells, structure } = table
  if (structure === null) return {}
  const count = cells.length / CELL_BYTES
  const packed = Buffer.alloc(count * 2)
  for (let place = 0; place < count; place += 1) {
    const predicted = hasNumber(cells, place) ? readPredicted(cells, place) : null
    const adjusted = predicted === null ? null : structureKey(table, place, predicted)
    const steps = adjusted === null ? MATRIX_NO_POSE : Math.round(adjusted * MATRIX_STEPS_PER_PKD)
    packed.writeInt16LE(steps, place * 2)
  }
  return { structure_adjusted: packed.toString('base64') }
}

function packDetails(cells: Buffer) {
  const count = cells.length / CELL_BYTES
  const [widths, lowers] = [Buffer.alloc(count * 2), Buffer.alloc(count * 2)]
  const [compounds, targets] = [Buffer.alloc(count), Buffer.alloc(count)]
  for (let place = 0; place < count; place += 1) {
    const cell = readCell(cells, place)
    if (cell === null) continue
    const width = Math.round((cell.upper - cell.lower) * MATRIX_STEPS_PER_PKD)
    widths.writeUInt16LE(Math.min(width, 0xffff), place * 2)
    lowers.writeInt16LE(Math.round(cell.lower * MATRIX_STEPS_PER_PKD), place * 2)
    compounds[place] = Math.round(cell.compoundSimilarity * MATRIX_STEPS_OF_SIMILARITY)
    targets[place] = Math.round(cell.targetSimilarity * MATRIX_STEPS_OF_SIMILARITY)
  }
  return {
    interval_width: widths.toString('base64'),
    interval_lower: lowers.toString('base64'),
    compound_similarity: compounds.toString('base64'),
    target_similarity: targets.toString('base64'),
  }
}

export function packMatrix(cells: Buffer): Pick<ScreenMatrix, 'predicted_kd' | 'flags'> {
  const count = cells.length / CELL_BYTES
  const predicted = Buffer.alloc(count * 2)
  const flags = Buffer.alloc(count)
  for (let place = 0; place < count; place += 1) {
    flags[place] = readFlags(cells, place)
    if (!hasNumber(cells, place)) continue
    predicted.writeInt16LE(
      Math.round(readPredicted(cells, place) * MATRIX_STEPS_PER_PKD),
      place * 2,
    )
  }
  return { predicted_kd: predicted.toString('base64'), flags: flags.toString('base64') }
}
