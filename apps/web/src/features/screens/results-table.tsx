/**
 * The results of a screen, with a row per compound or per pair: sorted and filtered by the server,
 * loaded and rendered as they become visible.
 */
import { Stack } from '#web/ui/layout.ts'
import { SCREEN_PAIRS_MAX, type ScreenRow, usualOrder } from '@pkdex/contract'
import { keepPreviousData, type QueryClient, useQueries, useQuery } from '@tanstack/react-query'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useRef,
  useState,
} from 'react'
import { messageOf } from '#web/lib/api.ts'
import { BreakableName } from '#web/ui/breakable-name.tsx'
import { Button, UnstyledButton } from '#web/ui/button.ts'
import { revealRow, useRowHeight, useRowWindow } from '#web/ui/row-window.ts'
import { SortHeader } from '#web/ui/table.tsx'
import table from '#web/ui/table.module.css'
import classes from './results-table.module.css'
import { isSmartsProblem, pageSizeOf, type ResultsAsk, resultsQuery } from './screen-queries.ts'
import { keyOfRow, type Selection } from './selection.ts'
import { type Column, type Pairs, strongestOf } from './table-columns.tsx'
import { type Cell, copyCell, starRow, stepByKey, useCellFocus } from './walk-table.ts'

const HEAD_PX = 44

type Props = {
  ask: ResultsAsk
  columns: Column[]
  /** Pairs per row. */
  width: number
  /** Draws a compound; null if structures are not shown. */
  drawSmiles: ((smiles: string) => ReactNode) | null
  selection: Selection
  /** Ticks a row, or unticks it. */
  onTick: (pairs: Pairs) => void
  /** Ticks all rows, or the first if there are many. */
  tickAll: ReactNode
  /** Adds a compound to the shortlist, or removes it. */
  starCompound: (compound: string) => ReactNode
  onSort: (sort: NonNullable<Column['sort']>, order: 'asc' | 'desc') => void
  onOpen: (row: ScreenRow, place: PlaceInTable) => void
  onClear: () => void
}

/** A row's index in the order shown, from 0, and the number of rows. */
export type PlaceInTable = { index: number; count: number }

export function ResultsTable({ ask, columns, width, drawSmiles, ...props }: Props) {
  const { selection, starCompound, onTick } = props
  const rowHeight = useRowHeight(drawSmiles !== null)
  const scroller = useRef<HTMLDivElement>(null)
  const first = useQuery({
    ...resultsQuery(ask, 1, pageSizeOf(width)),
    placeholderData: keepPreviousData,
  })
  const total = Math.min(first.data?.total ?? 0, SCREEN_PAIRS_MAX)
  const view = useRowWindow({ scroller, count: total, rowHeight })
  const rowAt = useRows(ask, view, width)
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 })
  const focusCell = useCellFocus(scroller)
  const shown = Array.from({ length: view.last - view.first }, (_, step) => view.first + step)
  const buttons = 1 + columns.filter(({ pair }) => pair !== undefined).length

  const walk = (event: KeyboardEvent) => {
    if (event.key === 's' || event.key === '*') starRow(event.target)
    copyCell(event.nativeEvent)
    const next = stepByKey(event.key, active, { row: total - 1, column: buttons - 1 })
    if (next === null || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setActive(next)
    revealRow(scroller.current, { index: next.row, count: total, rowHeight, head: HEAD_PX })
    requestAnimationFrame(() => focusCell(next))
  }

  if (first.error) {
    const reason = messageOf(first.error, 'Failed to load the rows.')
    const text = isSmartsProblem(ask.params, first.error) ? 'Invalid SMARTS' : reason
    return <Nothing text={text} onClear={props.onClear} />
  }
  if (first.data?.total === 0) return <Nothing text="No compounds match." onClear={props.onClear} />
  return (
    <Scroller ref={scroller} isStale={first.isPlaceholderData}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows walk through its buttons */}
      <table
        className={`${table.table} ${classes.table}`}
        style={{ '--row': `${rowHeight}px` } as CSSProperties}
        aria-rowcount={total + 1}
        onKeyDown={walk}
      >
        <Head {...{ ask, columns, ...props }} isDrawn={drawSmiles !== null} />
        <tbody>
          <Gap height={view.before} />
          {shown.map((index) => {
            const pairs = rowAt(index)
            return (
              <Row
                key={index}
                {...{ index, columns, drawSmiles, starCompound, pairs, onTick }}
                count={total}
                isTicked={pairs !== undefined && selection.has(keyOfRow(pairs))}
                active={index === active.row ? active.column : null}
                onActive={setActive}
                onOpen={props.onOpen}
              />
            )
          })}
          <Gap height={view.after} />
        </tbody>
      </table>
    </Scroller>
  )
}

type ScrollerProps = { ref: Ref<HTMLDivElement>; isStale: boolean; children: ReactNode }

function Scroller({ ref, isStale, children }: ScrollerProps) {
  return (
    <div
      ref={ref}
      className={classes.scroller}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a scroller, not a part of the text
      role="region"
      aria-label="Results"
      data-stale={isStale}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroller must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </div>
  )
}

function Nothing({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <Stack gap="sm" align="flex-start" pt="xl" pb="var(--s-7)">
      <output>{text}</output>
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    </Stack>
  )
}

/** The pages of the visible rows. */
function useRows(ask: ResultsAsk, { first, last }: { first: number; last: number }, width: number) {
  const pageSize = pageSizeOf(width)
  const perPage = Math.max(1, Math.floor(pageSize / width))
  const firstPage = Math.floor(first / perPage) + 1
  const lastPage = Math.max(firstPage, Math.ceil(last / perPage))
  const numbers = Array.from({ length: lastPage - firstPage + 1 }, (_, step) => firstPage + step)
  const pages = useQueries({
    queries: numbers.map((page) => ({
      ...resultsQuery(ask, page, pageSize),
      placeholderData: keepPreviousData,
    })),
  })
  return (index: number): Pairs | undefined => {
    const page = pages[Math.floor(index / perPage) + 1 - firstPage]
    return page?.data && inRows(page.data.rows, width)[index % perPage]
  }
}

type OfTable = { ask: ResultsAsk; width: number; index: number }

/** The pair in another row that is most like this one: on the same target, if the row has it. */
export async function readPairAt(
  client: QueryClient,
  { ask, width, index }: OfTable,
  { target, chain }: ScreenRow,
): Promise<ScreenRow | null> {
  const pageSize = pageSizeOf(width)
  const perPage = Math.max(1, Math.floor(pageSize / width))
  const page = Math.floor(index / perPage) + 1
  const { rows } = await client.fetchQuery(resultsQuery(ask, page, pageSize))
  const pairs = inRows(rows, width)[index % perPage]
  const same = pairs?.find((pair) => pair.target === target && pair.chain === chain)
  return same ?? pairs?.[0] ?? null
}

/** The first rows in the order shown; one for each compound or pair. */
export async function readFirstRows(
  client: QueryClient,
  { ask, width }: Pick<OfTable, 'ask' | 'width'>,
  count: number,
): Promise<Pairs[]> {
  const pageSize = pageSizeOf(width)
  const perPage = Math.max(1, Math.floor(pageSize / width))
  const rows: Pairs[] = []
  for (let page = 1; rows.length < count; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- a page at a time
    const read = await client.fetchQuery(resultsQuery(ask, page, pageSize))
    rows.push(...inRows(read.rows, width).flatMap((pairs) => (pairs ? [pairs] : [])))
    if (page * perPage >= read.total) break
  }
  return rows.slice(0, count)
}

/** Cached, so that an unchanged row is the same object and is not rendered again. */
const cut = new WeakMap<ScreenRow[], (Pairs | undefined)[]>()

export function inRows(rows: ScreenRow[], width: number): (Pairs | undefined)[] {
  const known = cut.get(rows)
  if (known !== undefined) return known
  const all = Array.from({ length: Math.ceil(rows.length / width) }, (_, at) => {
    const [head, ...others] = rows.slice(at * width, (at + 1) * width)
    return head && ([head, ...others] as const)
  })
  cut.set(rows, all)
  return all
}

const inputOrder: Column = {
  id: 'row',
  label: 'Row',
  sort: { by: 'input' },
  file: ['row'],
  cell: () => null,
}

type HeadProps = Pick<Props, 'ask' | 'columns' | 'onSort' | 'tickAll'> & { isDrawn: boolean }

function Head({ ask: { params }, columns, isDrawn, onSort, tickAll }: HeadProps) {
  const now = params.order ?? usualOrder(params.sort)
  const isSorted = ({ sort }: Column) => sort?.by === params.sort && sort.column === params.column
  const heads = [{ ...inputOrder, isNumber: true }, ...columns]
  const [row, ...others] = heads.map((column) => {
    const { id, label, sort, scale } = column
    const className = column.isNumber === true ? table.number : undefined
    if (sort === undefined) {
      return (
        <th key={id} scope="col" className={className}>
          {label}
        </th>
      )
    }
    const order = isSorted(column) ? now : null
    const next = order === null ? usualOrder(sort.by) : order === 'asc' ? 'desc' : 'asc'
    return (
      <SortHeader
        key={id}
        {...{ label, className, order }}
        after={scale}
        onSort={() => onSort(sort, next)}
      />
    )
  })
  return (
    <thead>
      <tr aria-rowindex={1}>
        {row}
        <th scope="col" className={classes.tick}>
          <span className="visually-hidden">Select</span>
          {tickAll}
        </th>
        {isDrawn && <th scope="col">Structure</th>}
        <th scope="col">Compound</th>
        {others}
      </tr>
    </thead>
  )
}

/** Reserves the space of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- holds the room, says nothing */}
      <td style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

type RowProps = Pick<Props, 'columns' | 'drawSmiles' | 'starCompound' | 'onTick' | 'onOpen'> & {
  index: number
  count: number
  isTicked: boolean
  pairs: Pairs | undefined
  /** The button of this row that is a tab stop; null if there is none. */
  active: number | null
  onActive: (cell: Cell) => void
}

/** Ticking a row does not open it. */
const stopClick = (event: MouseEvent) => event.stopPropagation()

const Row = memo(function Row({ index, pairs, columns, drawSmiles, ...props }: RowProps) {
  const { isTicked, count } = props

  if (pairs === undefined) {
    return (
      <tr aria-rowindex={index + 2} aria-busy="true">
        <td colSpan={columns.length + (drawSmiles ? 4 : 3)} className="faint">
          Loading
        </td>
      </tr>
    )
  }
  const [first] = pairs
  const open = (row: ScreenRow, content: ReactNode, column = 0) => {
    return (
      <UnstyledButton
        className={classes.open}
        tabIndex={props.active === column ? 0 : -1}
        aria-label={column === 0 ? `Open ${row.compound} on ${row.target}` : undefined}
        onFocus={() => props.onActive({ row: index, column })}
        onClick={(event) => {
          event.stopPropagation()
          props.onOpen(row, { index, count })
        }}
      >
        {column > 0 && (
          <span className="visually-hidden">{`Open ${row.compound} on ${row.target}: `}</span>
        )}
        {content}
      </UnstyledButton>
    )
  }
  const isPair = pairs.length === 1
  return (
    <tr
      aria-rowindex={index + 2}
      onClick={isPair ? () => props.onOpen(first, { index, count }) : undefined}
    >
      <td className={`${table.number} faint`}>{first.row}</td>
      <td className={classes.tick} onClick={stopClick}>
        {/* The whole cell is the label, so that it is easy to hit. */}
        <label>
          <input
            type="checkbox"
            aria-label={`Select ${first.compound}`}
            checked={isTicked}
            onChange={() => props.onTick(pairs)}
          />
        </label>
      </td>
      {drawSmiles && <td className={classes.structure}>{drawSmiles(first.smiles)}</td>}
      <td className={classes.name} title={first.smiles}>
        {props.starCompound(first.compound)}
        {open(strongestOf(pairs) ?? first, <BreakableName name={first.compound} />)}
      </td>
      {columns.map((column, at) => {
        const pair = column.pair === undefined ? undefined : pairs[column.pair]
        const content = column.cell(pairs)
        return (
          <td key={column.id} className={column.isNumber === true ? table.number : undefined}>
            {pair ? open(pair, content, buttonAt(columns, at)) : content}
          </td>
        )
      })}
    </tr>
  )
})

/** Index of a column's button in its row; the first is that of the compound. */
function buttonAt(columns: Column[], at: number): number {
  return 1 + columns.slice(0, at).filter(({ pair }) => pair !== undefined).length
}
