/** A predicted value in a table, with its interval on a scale that all rows share. */
import type { DomainState, ScreenRow } from '@pkdex/contract'
import {
  type AffinityUnit,
  formatInterval,
  shortenAffinity,
  shortenMeasured,
} from '#web/lib/affinity-unit.ts'
import { domainStateOfRow, domainTitles } from '#web/lib/domain-states.ts'
import { countOf } from '#web/lib/format.ts'
import { MeasuredMark } from '#web/ui/measured-mark.tsx'
import classes from './affinity-cell.module.css'

/** Ends of the scale, in pKd; intervals are cut there. */
const [FROM, TO] = [4, 10]
const [WIDTH, HEIGHT, MARGIN] = [84, 16, 4]
const TICKS = [4, 7, 10]

type Props = { row: ScreenRow; unit: AffinityUnit }

/** Hollow if known on other targets only, also dashed outside the domain. A diamond is a measured value. */
export function AffinityCell({ row, unit }: Props) {
  const { best_kd: pkd, reason } = row
  const state = domainStateOfRow(row)
  if (pkd === null || state === null) {
    return (
      <span className="faint" title={reason ?? undefined}>
        {row.is_ligand_driven === null ? '–' : '×'} <MeasuredValue {...{ row, unit }} />
      </span>
    )
  }
  return (
    <span className={classes.cell} data-state={state} title={describe(row, state, unit)}>
      <span className={classes.value}>{shortenAffinity(pkd, unit, state)}</span>
      <MeasuredValue {...{ row, unit }} />
      <IntervalPlot row={row} />
    </span>
  )
}

type PlotProps = { row: ScreenRow; className?: string | undefined }

function IntervalPlot({ row, className = '' }: PlotProps) {
  const { best_kd: pkd, best_lower: lower, best_upper: upper, measured_pk: measured } = row
  return (
    <svg
      className={`${classes.plot} ${className}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      {lower !== null && upper !== null && (
        <line x1={placeOf(lower)} x2={placeOf(upper)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      )}
      {pkd !== null && <circle cx={placeOf(pkd)} cy={HEIGHT / 2} r={3.5} />}
      {measured != null && <path d={diamondAt(placeOf(measured))} />}
    </svg>
  )
}

/** Of a table of pairs, where measured value and interval have columns of their own. A phone has no room for the plot. */
export function PlottedAffinity({ row, unit }: Props) {
  const state = domainStateOfRow(row)
  if (row.best_kd === null || state === null) return <span className="quiet">{row.reason}</span>
  return (
    <span className={classes.cell} data-state={state}>
      <span className={classes.value}>{shortenAffinity(row.best_kd, unit, state)}</span>
      <IntervalPlot row={row} className={classes.wide} />
    </span>
  )
}

/** The value measured for exactly this pair; nothing if there is none. */
export function MeasuredValue({ row: { measured_pk: pk }, unit }: Props) {
  return pk == null ? null : <MeasuredMark>{shortenMeasured(pk, unit)}</MeasuredMark>
}

function diamondAt(x: number): string {
  const y = HEIGHT / 2
  return `M${x} ${y - DIAMOND}L${x + DIAMOND} ${y}L${x} ${y + DIAMOND}L${x - DIAMOND} ${y}Z`
}

const DIAMOND = 5

/** The same for the heading. */
export function PlottedScale({ unit }: { unit: AffinityUnit }) {
  return <AffinityScale unit={unit} className={classes.wide} />
}

type ScaleProps = { unit: AffinityUnit; className?: string | undefined }

/** The ticks of the scale, for the heading of the column. */
export function AffinityScale({ unit, className = '' }: ScaleProps) {
  return (
    <svg
      className={`${classes.scale} ${className}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      {TICKS.map((tick, at) => (
        <text
          key={tick}
          x={placeOf(tick)}
          y={12}
          textAnchor={(['start', 'middle', 'end'] as const)[at]}
        >
          {unit === 'pKd' ? tick : shortenAffinity(tick, unit)}
        </text>
      ))}
    </svg>
  )
}

function describe(row: ScreenRow, state: DomainState, unit: AffinityUnit): string {
  const { best_lower: lower, best_upper: upper, own_values: count } = row
  const parts = [
    lower !== null && upper !== null && `95% interval ${formatInterval({ lower, upper }, unit)}`,
    domainTitles[state].toLowerCase(),
    row.structure_adjusted != null && 'with the pose',
    count !== null && `with ${countOf(count, 'own value')}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

function placeOf(pkd: number): number {
  const share = Math.min(1, Math.max(0, (pkd - FROM) / (TO - FROM)))
  return MARGIN + share * (WIDTH - 2 * MARGIN)
}
