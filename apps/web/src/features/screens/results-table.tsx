/** The pairs of a screen as rows: sorted and filtered by the server, fetched and drawn as they come into sight. */
import { SCREEN_PAIRS_MAX, type ScreenRow, type ScreenSort } from '@pkdex/contract'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import {
  type AffinityUnit,
  formatAffinity,
  formatDifference,
  formatInterval,
  unitTitles,
  useAffinityUnit,
} from '#web/lib/affinity-unit.ts'
import { messageOf } from '#web/lib/api.ts'
import { countOf } from '#web/lib/format.ts'
import { UnstyledButton } from '#web/ui/button.ts'
import { SortHeader, StatusDot } from '#web/ui/table.tsx'
import table from '#web/ui/table.module.css'
import { usualOrder } from './results-params.ts'
import classes from './results-table.module.css'
import { RESULTS_PAGE_SIZE, type ResultsAsk, resultsQuery } from './screen-queries.ts'
import { revealRow, useRowWindow } from './use-row-window.ts'

const ROW_PX = 44

type Props = {
  ask: ResultsAsk
  /** Some of the targets have own values: their numbers say both. */
  hasOwnValues: boolean
  onSort: (sort: ScreenSort, order: 'asc' | 'desc') => void
  onOpen: (row: ScreenRow) => void
}

export function ResultsTable({ ask, hasOwnValues, onSort, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const first = useQuery({ ...resultsQuery(ask, 1), placeholderData: keepPreviousData })
  const total = Math.min(first.data?.total ?? 0, SCREEN_PAIRS_MAX)
  const view = useRowWindow({ scroller, count: total, rowHeight: ROW_PX })
  const rowAt = useRows(ask, view)
  const [active, setActive] = useState(0)
  const unit = useAffinityUnit()
  const columns = columnsOf(unit, hasOwnValues)

  const walk = (event: KeyboardEvent) => {
    const next = stepByKey(event.key, active, total)
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setActive(next)
    revealRow(scroller.current, { index: next, rowHeight: ROW_PX, head: ROW_PX })
    requestAnimationFrame(() => focusRow(scroller.current, next))
  }

  return (
    <>
      <output className={classes.count}>{countRows(first.data?.total, first.error)}</output>
      <div
        ref={scroller}
        className={classes.scroller}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a scroller, not a part of the text
        role="region"
        aria-label="Pairs"
        data-stale={first.isPlaceholderData}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
        tabIndex={0}
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its buttons */}
        <table
          className={`${table.table} ${classes.table}`}
          aria-rowcount={total + 1}
          onKeyDown={walk}
        >
          <Head {...ask.params} columns={columns} onSort={onSort} />
          <tbody>
            <Gap height={view.before} columns={columns.length} />
            {Array.from({ length: view.last - view.first }, (_, step) => view.first + step).map(
              (index) => (
                <Row
                  key={index}
                  index={index}
                  row={rowAt(index)}
                  columns={columns.length}
                  unit={unit}
                  hasOwnValues={hasOwnValues}
                  isActive={index === active}
                  onActive={setActive}
                  onOpen={onOpen}
                />
              ),
            )}
            <Gap height={view.after} columns={columns.length} />
          </tbody>
        </table>
      </div>
    </>
  )
}

/** The pages that the rows in sight stand on. */
function useRows(ask: ResultsAsk, { first, last }: { first: number; last: number }) {
  const firstPage = Math.floor(first / RESULTS_PAGE_SIZE) + 1
  const lastPage = Math.max(firstPage, Math.ceil(last / RESULTS_PAGE_SIZE))
  const numbers = Array.from({ length: lastPage - firstPage + 1 }, (_, step) => firstPage + step)
  const pages = useQueries({
    queries: numbers.map((page) => ({
      ...resultsQuery(ask, page),
      placeholderData: keepPreviousData,
    })),
  })
  return (index: number): ScreenRow | undefined => {
    const page = pages[Math.floor(index / RESULTS_PAGE_SIZE) + 1 - firstPage]
    return page?.data?.rows[index % RESULTS_PAGE_SIZE]
  }
}

function countRows(total: number | undefined, error: Error | null): string {
  if (error !== null) return messageOf(error, 'The rows could not be loaded.')
  if (total === undefined) return 'Loading the rows'
  return total === 1 ? '1 pair' : `${total.toLocaleString('en')} pairs`
}

function stepByKey(key: string, from: number, total: number): number | null {
  const steps: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + 10,
    PageUp: from - 10,
    Home: 0,
    End: total - 1,
  }
  const next = steps[key]
  return next === undefined || total === 0 ? null : Math.min(total - 1, Math.max(0, next))
}

function focusRow(scroller: HTMLElement | null, index: number) {
  const button = scroller?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"] button`)
  button?.focus({ preventScroll: true })
}

type Column = { label: string; sort: ScreenSort | null; isNumber?: boolean }

function columnsOf(unit: AffinityUnit, hasOwnValues: boolean): Column[] {
  return [
    { label: 'Row', sort: 'input', isNumber: true },
    { label: 'Compound', sort: null },
    { label: 'Target', sort: null },
    { label: unitTitles[unit], sort: 'affinity', isNumber: true },
    { label: 'Interval', sort: 'interval', isNumber: true },
    ...(hasOwnValues ? [{ label: 'With your values', sort: null }] : []),
    { label: 'Selectivity', sort: 'selectivity', isNumber: true },
    { label: 'Nearest training', sort: 'nearest', isNumber: true },
    { label: 'Domain', sort: null },
  ]
}

type HeadProps = {
  sort: ScreenSort
  order?: 'asc' | 'desc' | undefined
  columns: Column[]
  onSort: Props['onSort']
}

function Head({ sort, order, columns, onSort }: HeadProps) {
  const now = order ?? usualOrder(sort)
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ label, sort: own, isNumber }) => {
          const className = isNumber === true ? table.number : undefined
          if (own === null) {
            return (
              <th key={label} scope="col">
                {label}
              </th>
            )
          }
          const isSorted = own === sort
          const next = isSorted ? (now === 'asc' ? 'desc' : 'asc') : usualOrder(own)
          return (
            <SortHeader
              key={label}
              label={label}
              className={className}
              order={isSorted ? now : null}
              onSort={() => onSort(own, next)}
            />
          )
        })}
      </tr>
    </thead>
  )
}

/** Stands for the rows that are out of sight. */
function Gap({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- holds the room, says nothing */}
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

type RowProps = {
  index: number
  row: ScreenRow | undefined
  /** How many there are. */
  columns: number
  unit: AffinityUnit
  hasOwnValues: boolean
  isActive: boolean
  onActive: (index: number) => void
  onOpen: (row: ScreenRow) => void
}

function Row({ index, row, columns, unit, hasOwnValues, isActive, onActive, onOpen }: RowProps) {
  if (row === undefined) {
    return (
      <tr aria-rowindex={index + 2} aria-busy="true">
        <td colSpan={columns} className="faint">
          Loading
        </td>
      </tr>
    )
  }
  return (
    <tr aria-rowindex={index + 2} className={classes.row} onClick={() => onOpen(row)}>
      <td className={`${table.number} faint`}>{row.row}</td>
      <td className={classes.name} title={row.smiles}>
        <UnstyledButton
          className={classes.open}
          tabIndex={isActive ? 0 : -1}
          aria-label={`Open ${row.compound} on ${row.target}`}
          onFocus={() => onActive(index)}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(row)
          }}
        >
          {row.compound}
        </UnstyledButton>
      </td>
      <td className={classes.name}>
        {row.target} <span className="faint">{row.chain}</span>
      </td>
      {row.predicted_kd === null ? (
        <td colSpan={columns - 3} className="quiet">
          {row.reason}
        </td>
      ) : (
        <Numbers row={row} pkd={row.predicted_kd} unit={unit} hasOwnValues={hasOwnValues} />
      )}
    </tr>
  )
}

type NumbersProps = Pick<RowProps, 'unit' | 'hasOwnValues'> & { row: ScreenRow; pkd: number }

function Numbers({ row, pkd, unit, hasOwnValues }: NumbersProps) {
  const { lower, upper, selectivity } = row
  return (
    <>
      <td className={`${table.number} ${classes.pkd}`}>{formatAffinity(pkd, unit)}</td>
      <td className={table.number}>
        {lower !== null && upper !== null && formatInterval({ lower, upper }, unit)}
      </td>
      {hasOwnValues && <OwnNumber row={row} unit={unit} />}
      <td className={table.number}>
        {selectivity === null ? '–' : formatDifference(selectivity, unit)}
      </td>
      <td className={table.number}>
        {percent(Math.min(row.compound_similarity ?? 0, row.target_similarity ?? 0))}
      </td>
      <td>
        <StatusDot isOn={row.in_domain === true}>
          {row.in_domain === true ? 'Inside' : 'Outside'}
        </StatusDot>
      </td>
    </>
  )
}

/** What the user's own values make of the number; the columns before it say what it is without. */
function OwnNumber({ row, unit }: { row: ScreenRow; unit: AffinityUnit }) {
  const { own_values: count, predicted_kd_with_own: pkd } = row
  const { lower_with_own: lower, upper_with_own: upper } = row
  if (count === null || pkd === null || lower === null || upper === null) return <td>–</td>
  return (
    <td>
      <b className={classes.pkd}>{formatAffinity(pkd, unit)}</b>
      {` (${formatInterval({ lower, upper }, unit)}) `}
      <span className="faint">{`with ${countOf(count, 'value')}`}</span>
    </td>
  )
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
