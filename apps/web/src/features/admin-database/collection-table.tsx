/** Every collection with its count, drawn against the largest, and its sizes. Sorted by any column. */
import { useState } from 'react'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { SortHeader } from '#web/ui/sort-header.tsx'
import table from '#web/ui/table.module.css'
import type { DatabaseStats } from './database-query.ts'
import classes from './collection-table.module.css'

type Row = { name: string; count: number; avgObjSize: number; size: number }
type Sorting = { column: keyof Row; order: 'asc' | 'desc' }

export function CollectionTable({ stats }: { stats: DatabaseStats }) {
  const [sorting, setSorting] = useState<Sorting>({ column: 'count', order: 'desc' })
  const rows = sortRows(rowsOf(stats), sorting)
  const largest = Math.max(1, ...rows.map(({ count }) => count))
  const header = (column: keyof Row, label: string) => (
    <SortHeader
      label={label}
      className={column === 'name' ? undefined : table.number}
      order={sorting.column === column ? sorting.order : null}
      onSort={() => setSorting(nextSorting(sorting, column))}
    />
  )
  return (
    <table
      className={`${table.table} ${table.stacks} ${classes.collections}`}
      aria-label="Collections"
    >
      <thead>
        <tr>
          {header('name', 'Collection')}
          {header('count', 'Count')}
          <th scope="col">
            <span className="visually-hidden">Share of the largest count</span>
          </th>
          {header('avgObjSize', 'Average object')}
          {header('size', 'Size')}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <CollectionRow key={row.name} row={row} share={row.count / largest} />
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>All collections</td>
          <td className={table.number}>
            {rows.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}
          </td>
          <td className={classes.share} aria-hidden="true" />
          <td className={`${table.number} ${classes.average}`} data-label="Average">
            {formatBytes(stats.avgObjSize)}
          </td>
          <td className={table.number}>{formatBytes(stats.size)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

function CollectionRow({ row, share }: { row: Row; share: number }) {
  return (
    <tr>
      <td className="mono">{row.name}</td>
      <td className={table.number}>{row.count.toLocaleString('en')}</td>
      <td className={classes.share}>
        <span className="visually-hidden">{Math.round(share * 100)} %</span>
        {share > 0 && <div className={classes.bar} style={{ width: `${share * 100}%` }} />}
      </td>
      <td className={`${table.number} ${classes.average}`} data-label="Average">
        {formatBytes(row.avgObjSize)}
      </td>
      <td className={table.number}>{formatBytes(row.size)}</td>
    </tr>
  )
}

function rowsOf({ collections, collection_stats }: DatabaseStats): Row[] {
  return Object.entries(collections).map(([name, { count, avgObjSize, size }]) => ({
    name,
    count: collection_stats[name] ?? count,
    avgObjSize,
    size,
  }))
}

function sortRows(rows: Row[], { column, order }: Sorting): Row[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => sign * compare(a[column], b[column]))
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b)
}

/** Names from A, numbers from the largest; the same column again turns round. */
function nextSorting({ column: before, order }: Sorting, column: keyof Row): Sorting {
  if (before === column) return { column, order: order === 'asc' ? 'desc' : 'asc' }
  return { column, order: column === 'name' ? 'asc' : 'desc' }
}
