/** A table made from column definitions. In a narrow panel each row becomes a card (table.module.css). */
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { Loaded, type LoadedProps } from './loaded.tsx'
import { Pager } from './pager.tsx'
import { SortHeader } from './table.tsx'
import table from './table.module.css'

export type Column<Row> = {
  /** Unique. The heading. */
  title: string
  /** Shown as the heading in place of the title; null hides the title from sight. */
  heading?: ReactNode
  cell: (row: Row) => ReactNode
  /** Names the cell on a card: the title, or another word. */
  label?: true | string
  isNumber?: boolean
  /** The cells name their rows. */
  isRowHeading?: boolean
  /** Hidden at widths between a full table and cards. */
  isSecondary?: boolean
  /** Style of the heading and the cells. */
  className?: string | undefined
  /** Style of the cells. */
  cellClass?: string | ((row: Row) => string | undefined) | undefined
  /** The heading sorts; `order` is null while another column is sorted. */
  sort?: { order: 'asc' | 'desc' | null; onSort: () => void }
}

type DataTableProps<Row> = {
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  columns: readonly Column<Row>[]
  /** Inside a panel with a margin of its own. */
  isInset?: boolean
  /** Too wide for a narrow panel: it scrolls sideways, in a region with this name, in place of cards. */
  region?: string
  /** The headings are for screen readers only. */
  isHeadHidden?: boolean
  /** The rows are the previous ones; the requested ones are loading. */
  isStale?: boolean
  className?: string | undefined
  /** Rows of totals. */
  foot?: ReactNode
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, keyOf, columns, isInset = false, isHeadHidden = false, ...rest } = props
  const { region, isStale, className, foot } = rest
  const shape = region === undefined ? table.stacks : table.wideTable
  const shown = (
    <table
      className={join(table.table, isInset && table.inset, shape, className)}
      aria-label={label}
      aria-busy={isStale}
    >
      <thead className={isHeadHidden ? 'visually-hidden' : undefined}>
        <tr>
          {columns.map((column) => (
            <Heading key={column.title} {...column} />
          ))}
        </tr>
      </thead>
      <tbody data-stale={isStale}>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <Cell key={column.title} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
      {foot !== undefined && <tfoot>{foot}</tfoot>}
    </table>
  )
  if (region === undefined) return shown
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section className={table.scroll} aria-label={region} tabIndex={0}>
      {shown}
    </section>
  )
}

type Paging = { page: number; pageSize: number; hrefOf: (page: number) => string }

type PagedTableProps<Page, Row> = Omit<LoadedProps<Page>, 'children'> &
  Omit<DataTableProps<Row>, 'rows' | 'isStale'> & {
    query: { isPlaceholderData: boolean }
    pageOf: (data: Page) => { rows: readonly Row[]; total: number }
    paging: Paging
    /** Shown in place of the table if no row matches. */
    empty: ReactNode
  }

/** A table of which the server returns one page at a time, with its skeleton, failure, empty text and pager. */
export function PagedTable<Page, Row>(props: PagedTableProps<Page, Row>) {
  const { query, what, failure, reasonOf, lines, isFlush = false, pageOf, paging, empty } = props
  const { page, pageSize, hrefOf } = paging
  return (
    <Loaded {...{ query, what, failure, reasonOf, lines, isFlush }}>
      {(data) => {
        const { rows, total } = pageOf(data)
        const lastPage = Math.max(1, Math.ceil(total / pageSize))
        // The last row of the last page was deleted, or the page is from an old link.
        if (!query.isPlaceholderData && page > lastPage) {
          return <Navigate to={hrefOf(lastPage)} replace />
        }
        if (total === 0) return empty
        return (
          <>
            <DataTable {...props} rows={rows} isStale={query.isPlaceholderData} />
            {(isFlush || lastPage > 1) && (
              <Pager label={`Pages of ${what}`} {...paging} total={total} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function Heading<Row>(column: Column<Row>) {
  const { title, heading = title, sort } = column
  if (sort) return <SortHeader label={title} className={classOf(column)} {...sort} />
  return (
    <th scope="col" className={classOf(column)}>
      {heading ?? <span className="visually-hidden">{title}</span>}
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const className = classOf(column, cellClassOf(column, row))
  if (column.isRowHeading) {
    return (
      <th scope="row" className={className}>
        {column.cell(row)}
      </th>
    )
  }
  return (
    <td className={className} data-label={column.label === true ? column.title : column.label}>
      {column.cell(row)}
    </td>
  )
}

function cellClassOf<Row>({ cellClass }: Column<Row>, row: Row): string | undefined {
  return typeof cellClass === 'function' ? cellClass(row) : cellClass
}

function classOf<Row>({ isNumber, isSecondary, className }: Column<Row>, cell?: string) {
  return join(isNumber && table.number, isSecondary && table.secondary, className, cell)
}

function join(...names: (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined
}
