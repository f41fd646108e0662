/** The content of each cell of a SAR table: a measured value, a prediction, or a gap. */
import type { ScreenRow, SeriesTable } from '@pkdex/contract'
import type { MeasuredValue, MeasuredValues } from './series-queries.ts'

export type CellView = {
  row: number
  column: number
  kind: 'measured' | 'predicted' | 'gap'
  smiles: string
  /** Its compounds, the best first; empty for a gap. */
  members: CellMember[]
  /** The weakest and strongest of several exact values of the shown kind. */
  range: { lower: number; upper: number } | null
  /** pK or pKd; null if there is no prediction. */
  value: number | null
  /** The prediction interval; null for a measured value. */
  interval: { lower: number; upper: number } | null
  /** Set if the measured value is only known to be at most or at least this. */
  bound?: MeasuredValue['bound']
}

/** A compound of a cell with its own value. */
type CellMember = Pick<CellView, 'kind' | 'smiles' | 'value' | 'interval' | 'bound'> & {
  name: string
  source: ScreenRow
}

export type Number95 = Pick<CellView, 'value' | 'interval'>

/** The best estimate. */
export function predictedOf(row: ScreenRow): Number95 {
  const { best_kd: value, best_lower: lower, best_upper: upper } = row
  if (value === null || lower === null || upper === null) return { value: null, interval: null }
  return { value, interval: { lower, upper } }
}

/** The prediction of a molecule; undefined if no row has it. */
export function numberInRows(rows: ScreenRow[], smiles: string): Number95 | undefined {
  const row = rows.find((row) => row.smiles === smiles)
  return row && predictedOf(row)
}

type Sources = {
  table: SeriesTable
  rows: ScreenRow[]
  measured: MeasuredValues
  /** Rows of the follow-ups of the screen. */
  gapRows: ScreenRow[]
}

/** By `placeKey`. A cell with several compounds shows the range of their values, and has the value of its best. */
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
    const members = [best, ...shown.filter((one) => one !== best)]
    const range = rangeOfMembers(members)
    const { name: _, source: __, ...view } = best
    views.set(placeKey(row, column), { row, column, members, range, ...view })
  }
  const predictedGaps = new Map(gapRows.map((row) => [row.smiles, predictedOf(row)]))
  for (const { row, column, smiles } of table.gaps) {
    const predicted = predictedGaps.get(smiles) ?? { value: null, interval: null }
    const gap = { kind: 'gap' as const, members: [], range: null, smiles }
    views.set(placeKey(row, column), { row, column, ...gap, ...predicted })
  }
  return views
}

/** Null with fewer than two values like the first. */
function rangeOfMembers([best, ...others]: CellMember[]): CellView['range'] {
  const values = [best, ...others].flatMap((one) => {
    const isLike = one?.kind === best?.kind && (one?.bound ?? null) === null
    return isLike && one?.value !== null && one !== undefined ? [one.value] : []
  })
  return values.length < 2 ? null : { lower: Math.min(...values), upper: Math.max(...values) }
}

/** Compounds of one cell that differ more than this are not alike: their stereochemistry or another position matters. */
const ALIKE_MAX = 0.5

export function isWide({ range }: Pick<CellView, 'range'>): boolean {
  return range !== null && range.upper - range.lower > ALIKE_MAX
}

function viewCompound(row: ScreenRow, measured: MeasuredValues): CellMember {
  const { compound: name, smiles } = row
  const own = measured.get(name) ?? measured.get(smiles)
  if (own !== undefined) {
    const { pk: value, bound } = own
    return { name, smiles, source: row, kind: 'measured' as const, value, interval: null, bound }
  }
  return { name, smiles, source: row, kind: 'predicted' as const, ...predictedOf(row) }
}

export function placeKey(row: number, column: number): string {
  return `${row} ${column}`
}

/** `methyl-F, measured 8.52`, `Gap, predicted 8.1, 6.9 to 9.4`. */
export function describeCell(cell: CellView): string {
  const { kind, value, interval, members, range } = cell
  const subject = kind === 'gap' ? 'Gap' : members.map(({ name }) => name).join(', ')
  if (value === null) return `${subject}, not predicted`
  if (range !== null) return `${subject}, ${kind} ${wordRange(cell, ' to ')}, n = ${members.length}`
  if (interval === null) return `${subject}, measured ${wordValue(cell)}`
  return `${subject}, predicted ${value.toFixed(1)}, ${rangeOf(interval, ' to ')}`
}

/** `6.09–8.30` of several measured values, `6.1–8.3` of predictions; otherwise the value. */
export function wordRange(cell: CellView, between = '–'): string {
  const { range, interval } = cell
  if (range === null) return wordValue(cell)
  const digits = interval === null ? 2 : 1
  return [range.lower, range.upper].map((value) => value.toFixed(digits)).join(between)
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
