/** The report on a screen: the top structures, then a matrix of all compounds and targets. Always on white. */
import { Flex } from '#web/ui/layout.ts'
import {
  type DomainState,
  describeColumn,
  type ScreenRow,
  type ScreenTarget,
} from '@pkdex/contract'
import { type CSSProperties, type ReactNode, useCallback, useState } from 'react'
import {
  type AffinityUnit,
  formatInterval,
  shortenAffinity,
  shortenMeasured,
  unitTitles,
} from '#web/lib/affinity-unit.ts'
import { domainStateOfRow, domainTitles } from '#web/lib/domain-states.ts'
import { Diamond, MeasuredMark } from '#web/ui/measured-mark.tsx'
import { MeasuredValue } from './affinity-cell.tsx'
import { type Palette, readPalette, shadeOf } from './heat-map-drawing.ts'
import classes from './report-matrix.module.css'
import { titleOf } from './screen-matrix.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Pairs, strongestOf } from './table-columns.tsx'

const TOP_STRUCTURES = 6

type TopProps = {
  compounds: Pairs[]
  unit: AffinityUnit
  /** Index of the target that ranks the compounds; null if the strongest pair does. */
  column: number | null
  drawSmiles: (smiles: string) => ReactNode
}

export function TopStructures({ compounds, unit, column, drawSmiles }: TopProps) {
  return (
    <ol className={classes.tops}>
      {compounds.slice(0, TOP_STRUCTURES).map((pairs) => (
        <li key={pairs[0].row}>
          <div className={classes.structure}>{drawSmiles(pairs[0].smiles)}</div>
          <TopFacts
            row={column === null ? (strongestOf(pairs) ?? pairs[0]) : (pairs[column] ?? pairs[0])}
            isTargetNamed={column === null}
            unit={unit}
          />
        </li>
      ))}
    </ol>
  )
}

type TopFactsProps = { row: ScreenRow; isTargetNamed: boolean; unit: AffinityUnit }

function TopFacts({ row, isTargetNamed, unit }: TopFactsProps) {
  const lle = row.lipophilic_efficiency
  const facts = [isTargetNamed && row.target, lle != null && `LLE ${lle.toFixed(1)}`]
  return (
    <>
      <p>
        <b>{predictedIn(row, unit)}</b>
        <MeasuredValue {...{ row, unit }} />
        <span>{wordInterval(row, unit)}</span>
      </p>
      <p>
        <span className={classes.name}>{row.compound}</span>
      </p>
      <p>
        <span className={classes.name}>{facts.filter(Boolean).join(', ')}</span>
      </p>
    </>
  )
}

/** The measured value if there is one, with two decimals behind a diamond; otherwise the best estimate. */
function Value({ row, unit }: { row: ScreenRow; unit: AffinityUnit }) {
  if (row.measured_pk != null) {
    return <MeasuredMark>{shortenMeasured(row.measured_pk, unit)}</MeasuredMark>
  }
  return predictedIn(row, unit)
}

function predictedIn(row: ScreenRow, unit: AffinityUnit): string {
  if (row.best_kd === null) return '–'
  return shortenAffinity(row.best_kd, unit, domainStateOfRow(row) ?? undefined)
}

type MatrixProps = {
  compounds: Pairs[]
  targets: ScreenTarget[]
  /** Indices of the targets that have a column. */
  columns: number[]
  unit: AffinityUnit
  /** Shown below each value. */
  hasIntervals: boolean
  /** Columns after the targets. */
  hasProperties: boolean
  hasAlerts: boolean
}

export function ReportMatrix({ compounds, targets, columns, ...look }: MatrixProps) {
  const further = furtherColumns(look)
  const [palette, setPalette] = useState<Palette | null>(null)
  // The colours of print are known only once the table is rendered.
  const read = useCallback((table: Element | null) => {
    if (table !== null) setPalette(readPalette(table))
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
    <section className={classes.scroller} aria-label="Matrix" tabIndex={0}>
      <table ref={read} className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">Compound</th>
            {columns.map((column) => (
              <th key={column} scope="col" className={classes.value}>
                {titleOf({ targets }, column)}
              </th>
            ))}
            {further.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {compounds.map((pairs) => (
            <tr key={pairs[0].row}>
              <th scope="row">{pairs[0].compound}</th>
              {columns.map((column) => (
                <Cell key={column} row={pairs[column]} palette={palette} {...look} />
              ))}
              {further.map(({ label, cell }) => (
                <td key={label} className={classes.further}>
                  {cell(strongestOf(pairs) ?? pairs[0])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Values that depend on the target are those of the compound's strongest pair. */
function furtherColumns({
  hasProperties,
  hasAlerts,
}: Pick<MatrixProps, 'hasProperties' | 'hasAlerts'>) {
  const shown: { label: string; cell: (row: ScreenRow) => string }[] = []
  if (hasProperties) {
    for (const name of ['mass', 'log_p', 'lipophilic_efficiency'] as const) {
      const { title: label, digits } = describeColumn(name)
      shown.push({ label, cell: (row) => formatNumber(row[name], digits) })
    }
  }
  if (hasAlerts) {
    const { title: label } = describeColumn('alerts')
    shown.push({ label, cell: ({ alerts }) => wordAlerts(alerts ?? []) })
  }
  return shown
}

/** Names the first alert and counts the others, because a row of the report has one line. */
function wordAlerts([first, ...others]: string[]): string {
  if (first === undefined) return ''
  return others.length === 0 ? first : `${first} +${others.length}`
}

type CellProps = Pick<MatrixProps, 'unit' | 'hasIntervals'> & {
  row: ScreenRow | undefined
  palette: Palette | null
}

function Cell({ row, palette, ...look }: CellProps) {
  const pk = row && shownValue(row)
  if (row === undefined || pk == null) {
    return (
      <td className={classes.value} title={row?.reason ?? undefined}>
        –
      </td>
    )
  }
  const state = stateOfShown(row)
  return (
    <td
      className={classes.value}
      data-state={state}
      style={groundOf(palette, pk)}
      title={domainTitles[state]}
    >
      <Value row={row} unit={look.unit} />
      {look.hasIntervals && <small>{wordInterval(row, look.unit)}</small>}
    </td>
  )
}

function shownValue({ measured_pk: measured, best_kd: best }: ScreenRow): number | null {
  return measured ?? best
}

/** A measured value has no domain state. */
function stateOfShown(row: ScreenRow): DomainState {
  return row.measured_pk == null ? (domainStateOfRow(row) ?? 'outside') : 'known_on_target'
}

function groundOf(palette: Palette | null, pkd: number): CSSProperties | undefined {
  const shade = palette?.ramp[shadeOf(pkd)]
  return shade && { background: shade.ground, color: shade.ink }
}

function wordInterval(row: ScreenRow, unit: AffinityUnit): string {
  const { best_lower: lower, best_upper: upper } = row
  return lower === null || upper === null ? '' : formatInterval({ lower, upper }, unit)
}

/** The legend of the marks, and the errors of the values. */
export function ReportKey({
  compounds,
  columns,
  unit,
}: Pick<MatrixProps, 'compounds' | 'columns' | 'unit'>) {
  const rows = compounds.flatMap((pairs) => columns.flatMap((column) => pairs[column] ?? []))
  const states = new Set(rows.map(domainStateOfRow))
  return (
    <Flex component="p" wrap="wrap" rowGap={0} columnGap="lg" mt="sm" c="var(--ink-2)" fz="0.75rem">
      {rows.some(({ measured_pk: pk }) => pk != null) && (
        <span>
          <Diamond /> measured
        </span>
      )}
      <span>{`Predicted ${unitTitles[unit]}${describeErrors(rows)}`}</span>
      {states.has('known_on_other_targets') && (
        <span className={classes.elsewhere}>known on other targets only</span>
      )}
      {states.has('outside') && <span className={classes.outside}>outside the domain</span>}
    </Flex>
  )
}

function describeErrors(rows: ScreenRow[]): string {
  const halves = rows.flatMap(({ best_lower: lower, best_upper: upper }) =>
    lower === null || upper === null ? [] : [(upper - lower) / 2],
  )
  if (halves.length === 0) return ''
  const [least, most] = [Math.min(...halves), Math.max(...halves)].map((half) => half.toFixed(1))
  const range = least === most ? least : `${least} to ${most}`
  return `; half-width of the 95% interval ${range} pKd`
}
