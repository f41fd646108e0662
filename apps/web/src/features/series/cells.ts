/** The content of each cell of a SAR table: a measured value, a prediction, or a gap. */
import type { ScreenRow, SeriesTable } from '@pkdex/contract'
import type { MeasuredValue, MeasuredValues } from './series-queries.ts'

export type CellView = {
  row: number
  column: number
  kind: 'measured' | 'predicted' | 'gap'
  smiles: string
  /** Names of its compounds, the best first; empty for a gap. */
  names: string[]
  /** pK or pKd; null if there is no prediction. */
  value: number | null
  /** The prediction interval; null for a measured value. */
  interval: { lower: number; upper: number } | null
  /** Set if the measured value is only known to be at most or at least this. */
  bound?: MeasuredValue['bound']
}

export type Number95 = Pick<CellView, 'value' | 'interval'>

/** With the user's measured values, if there are any on the target. */
function predictedOf(row: ScreenRow): Number95 {
  const value = row.predicted_kd_with_own ?? row.predicted_kd
  const lower = row.lower_with_own ?? row.lower
  const upper = row.upper_with_own ?? row.upper
  if (value === null || lower === null || upper === null) return { value: null, interval: null }
  return { value, interval: { lower, upper } }
}

/** The prediction of a molecule; undefined if no row has it. */
export function numberInRows(rows: ScreenRow[], smiles: string): Number95 | undefined {
  const row = rows.find((one) => one.smiles === smiles)
  return row && predictedOf(row)
}

type Sources = {
  table: SeriesTable
  rows: ScreenRow[]
  measured: MeasuredValues
  /** Rows of the follow-ups of the screen. */
  gapRows: ScreenRow[]
}

/** By `placeKey`. A cell with several compounds shows its best. */
export function viewCells({ table, rows, measured, gapRows }: Sources): Map<string, CellView> {
  const views = new Map<string, CellView>()
  for (const { row, column, compounds } of table.cells) {
    const shown = compounds
      .flatMap((place) => rows[place] ?? [])
      .map((one) => viewCompound(one, measured))
      .toSorted((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity))
    const exact = shown.filter(({ kind, bound }) => kind === 'measured' && bound === null)
    const [best] = [...exact, ...shown.filter(({ kind }) => kind === 'measured'), ...shown]
    if (best === undefined) continue
    const names = [best, ...shown.filter((one) => one !== best)].map(({ name }) => name)
    const { name: _, ...view } = best
    views.set(placeKey(row, column), { row, column, names, ...view })
  }
  const predictedGaps = new Map(gapRows.map((row) => [row.smiles, predictedOf(row)]))
  for (const { row, column, smiles } of table.gaps) {
    const predicted = predictedGaps.get(smiles) ?? { value: null, interval: null }
    views.set(placeKey(row, column), { row, column, kind: 'gap', names: [], smiles, ...predicted })
  }
  return views
}

function viewCompound(row: ScreenRow, measured: MeasuredValues) {
  const { compound: name, smiles } = row
  const own = measured.get(name) ?? measured.get(smiles)
  if (own !== undefined) {
    const { pk: value, bound } = own
    return { name, smiles, kind: 'measured' as const, value, interval: null, bound }
  }
  return { name, smiles, kind: 'predicted' as const, ...predictedOf(row) }
}

export function placeKey(row: number, column: number): string {
  return `${row} ${column}`
}

/** `methyl-F, measured 8.52`, `Gap, predicted 8.1, 6.9 to 9.4`. */
export function describeCell(cell: CellView): string {
  const { kind, value, interval, names } = cell
  const subject = kind === 'gap' ? 'Gap' : names.join(', ')
  if (value === null) return `${subject}, not predicted`
  if (interval === null) return `${subject}, measured ${wordValue(cell)}`
  return `${subject}, predicted ${value.toFixed(1)}, ${rangeOf(interval, ' to ')}`
}

/** `8.52`, `< 5.00`, or `8.1` for a prediction. */
export function wordValue({ value, interval, bound }: ShownValue): string {
  if (value === null) return '–'
  if (interval !== null) return value.toFixed(1)
  return `${bound === 'upper' ? '< ' : bound === 'lower' ? '> ' : ''}${value.toFixed(2)}`
}

type ShownValue = Pick<CellView, 'value' | 'interval' | 'bound'>

export function rangeOf({ lower, upper }: { lower: number; upper: number }, between = '–'): string {
  return `${lower.toFixed(1)}${between}${upper.toFixed(1)}`
}
