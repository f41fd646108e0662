/** The columns of the results: for a table of pairs, and for a table of compounds with one column per target. */
import { Box } from '#web/ui/layout.ts'
import {
  describeColumn,
  type ColumnWith,
  type RowProperty,
  type ScreenRow,
  type ScreenSort,
  type ScreenTarget,
  sortOf,
} from '@pkdex/contract'
import type { ReactNode } from 'react'
import {
  type AffinityUnit,
  formatDifference,
  formatInterval,
  shortenAffinity,
  unitTitles,
} from '#web/lib/affinity-unit.ts'
import { labelChain } from '#web/lib/chains.ts'
import { domainStateOfRow } from '#web/lib/domain-states.ts'
import {
  AffinityCell,
  AffinityScale,
  MeasuredValue,
  PlottedAffinity,
  PlottedScale,
} from './affinity-cell.tsx'
import { DomainMark } from './domain-mark.tsx'
import { titleOf } from './screen-matrix.ts'

/** All pairs of one compound, or a single pair. */
export type Pairs = readonly [ScreenRow, ...ScreenRow[]]

export type Column = {
  /** Also the key under which the user's choice of columns is stored. */
  id: string
  label: string
  /** What it sorts by; `column` is the position of a target, from 1. */
  sort?: { by: ScreenSort; column?: number }
  isNumber?: boolean
  /** Its columns in a workbook; `@2` is the second target. */
  file: string[]
  /** Hidden until the user selects it. */
  isHidden?: boolean
  /** Shown after the label. */
  scale?: ReactNode
  /** Clicking this cell opens this pair, not the pair of the row. */
  pair?: number
  cell: (pairs: Pairs) => ReactNode
}

/** Heading, order and visibility are those of the list of columns. */
export function columnOf(
  name: RowProperty | ColumnWith<{ isShown: boolean }>,
  id: string,
  cell: Column['cell'],
): Column {
  const { title, isShown = false, isNumber } = describeColumn(name)
  const sort = sortOf(name)
  return {
    id,
    label: title,
    ...(sort !== undefined && { sort: { by: sort } }),
    isNumber,
    isHidden: !isShown,
    file: [name],
    cell,
  }
}

type Look = {
  unit: AffinityUnit
  /** Targets on which the user has measured values. */
  measured: ReadonlySet<string>
  hasStructure: boolean
}

/** Cells of a pair without a prediction are empty: the reason is shown once, in the prediction's column. */
export function pairColumns(targets: ScreenTarget[], look: Look): Column[] {
  const { unit, measured, hasStructure } = look
  const hasMeasured = targets.some(({ name }) => measured.has(name))
  const isMoved = hasStructure || hasMeasured
  const ifPredicted = (cell: (row: ScreenRow) => ReactNode) => (pairs: Pairs) =>
    pairs[0].best_kd === null ? null : cell(pairs[0])
  return [
    columnOf('target', 'target', ([row]) => (
      <>
        {row.target} <span className="faint">{labelChain(row.chain)}</span>
      </>
    )),
    ...(hasMeasured ? [measuredColumn(unit)] : []),
    {
      ...columnOf('best_kd', 'affinity', ([row]) => <PlottedAffinity row={row} unit={unit} />),
      label: unitTitles[unit],
      scale: <PlottedScale unit={unit} />,
    },
    {
      ...columnOf(
        'best_lower',
        'interval',
        ifPredicted(
          ({ best_lower: lower, best_upper: upper }) =>
            lower !== null && upper !== null && formatInterval({ lower, upper }, unit),
        ),
      ),
      file: ['best_lower', 'best_upper'],
    },
    ...(isMoved ? [sequenceColumn(ifPredicted, unit)] : []),
    ...(hasStructure ? [poseColumn(ifPredicted, unit)] : []),
    columnOf(
      'selectivity',
      'selectivity',
      ifPredicted((row) => describeSelectivity(row, unit)),
    ),
    ...similarityColumns(ifPredicted),
    columnOf(
      'domain_state',
      'domain',
      ifPredicted((row) => {
        const state = domainStateOfRow(row)
        return state && <DomainMark state={state} />
      }),
    ),
  ]
}

function measuredColumn(unit: AffinityUnit): Column {
  return {
    id: 'measured',
    label: 'Measured',
    isNumber: true,
    file: ['measured_pk'],
    cell: ([row]) => <MeasuredValue {...{ row, unit }} />,
  }
}

export function compoundColumns(targets: ScreenTarget[], look: Look): Column[] {
  const { unit } = look
  const best = (cell: (row: ScreenRow) => ReactNode) => (pairs: Pairs) => {
    const row = strongestOf(pairs)
    return row === null ? null : cell(row)
  }
  return [
    ...targets.map(({ name, chain }, at) => ({
      id: `target ${name} ${chain}`,
      label: titleOf({ targets }, at),
      sort: { by: 'affinity' as const, column: at + 1 },
      scale: <AffinityScale unit={unit} />,
      pair: at,
      file: NUMBERS.map((name) => `${name}@${at + 1}`),
      cell: (pairs: Pairs) => {
        const row = pairs[at]
        if (row === undefined) return null
        return <AffinityCell row={row} unit={unit} />
      },
    })),
    ...stageColumns(targets, look),
    {
      ...columnOf(
        'selectivity',
        'selectivity',
        best((row) => (
          <>
            {isBeyondError(row) && `${row.target} `}
            {describeSelectivity(row, unit)}
          </>
        )),
      ),
      isNumber: false,
    },
    ...similarityColumns(best),
  ]
}

const NUMBERS = ['measured_pk', 'best_kd', 'best_lower', 'best_upper']

/** Makes a cell from one of the pairs. */
type OfPair = (cell: (row: ScreenRow) => ReactNode) => Column['cell']

/** The stages of the estimates, per target: measured ones, or all in a screen with poses. Hidden until selected. */
function stageColumns(targets: ScreenTarget[], { unit, measured, hasStructure }: Look): Column[] {
  return targets.flatMap(({ name, chain }, at) => {
    if (!hasStructure && !measured.has(name)) return []
    const ofTarget: OfPair = (cell) => (pairs) => {
      const row = pairs[at]
      return row === undefined || row.best_kd === null ? null : cell(row)
    }
    const stages = [
      sequenceColumn(ofTarget, unit),
      ...(hasStructure ? [poseColumn(ofTarget, unit)] : []),
    ]
    const title = titleOf({ targets }, at)
    return stages.map((column) => ({
      ...column,
      id: `${column.id} ${name} ${chain}`,
      label: `${title}, ${column.label}`,
      file: column.file.map((one) => `${one}@${at + 1}`),
    }))
  })
}

function sequenceColumn(of: OfPair, unit: AffinityUnit): Column {
  return columnOf(
    'predicted_kd',
    'sequence',
    of(({ predicted_kd: pkd }) => pkd !== null && shortenAffinity(pkd, unit)),
  )
}

function poseColumn(of: OfPair, unit: AffinityUnit): Column {
  const column = columnOf(
    'structure_adjusted',
    'structure',
    of(({ structure_adjusted: pose, structure_reason: reason }) =>
      pose ? (
        <Box component="span" title={formatInterval(pose, unit)} fw={600}>
          {shortenAffinity(pose.value, unit)}
        </Box>
      ) : (
        <span className="quiet" title={reason ?? undefined}>
          {reason ? 'no pose' : '–'}
        </span>
      ),
    ),
  )
  return { ...column, isNumber: true, file: ['structure_adjusted_kd'] }
}

function similarityColumns(of: OfPair): Column[] {
  return (['compound', 'target'] as const).map((kind) =>
    columnOf(
      `${kind}_similarity`,
      `${kind} similarity`,
      of((row) => row[`${kind}_similarity`]?.toFixed(2) ?? '–'),
    ),
  )
}

/** Null if no pair has a prediction. */
export function strongestOf(pairs: Pairs): ScreenRow | null {
  let best: ScreenRow | null = null
  for (const row of pairs) {
    if (row.best_kd === null) continue
    if (best?.best_kd == null || row.best_kd > best.best_kd) best = row
  }
  return best
}

/** A difference within the error of its two predictions is not printed. */
function describeSelectivity(row: ScreenRow, unit: AffinityUnit): ReactNode {
  if (row.selectivity === null) return '–'
  if (isBeyondError(row)) return formatDifference(row.selectivity, unit)
  return <span className="faint">within error</span>
}

function isBeyondError({ selectivity, selectivity_error: error }: ScreenRow): boolean {
  return selectivity !== null && error !== null && Math.abs(selectivity) > error
}
