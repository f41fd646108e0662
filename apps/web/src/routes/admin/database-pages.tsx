/** The pages about the database: `/admin/database/stats`, `/admin/database/export` and `/admin/audit`. */
import { Button } from '#web/ui/button.ts'
import { messages } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AuditList } from '#web/features/admin-database/audit-list.tsx'
import { type DatabaseStats, statsQuery } from '#web/features/admin-database/database-query.ts'
import {
  ExportAll,
  ExportAudit,
  ExportCollections,
  ExportPredictions,
} from '#web/features/admin-database/exports.tsx'
import { adminReason } from '#web/lib/admin-api.ts'
import { formatBytes, largeCountOf } from '#web/lib/format.ts'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { SkeletonLines } from '#web/ui/loaded.tsx'
import { SortHeader } from '#web/ui/table.tsx'
import table from '#web/ui/table.module.css'
import classes from './database-pages.module.css'

/** `/admin/database/stats`: the size of the database, per collection. */
export function StatsPage() {
  const { data, error, isFetching, refetch } = useQuery(statsQuery())
  return (
    <>
      <title>Database Stats · pKdex</title>
      <PageHead title="Database Stats" below={data && summaryOf(data)}>
        <Button variant="default" loading={isFetching && !!data} onClick={() => void refetch()}>
          Refresh
        </Button>
      </PageHead>
      {error !== null && (
        <div className={classes.failure}>
          <Note tone="failure" title={messages.admin.statsFailed}>
            {adminReason(error)}
          </Note>
        </div>
      )}
      {data !== undefined && (
        <section className={`sheet ${table.sheet}`} aria-label="Collections">
          <CollectionTable stats={data} />
        </section>
      )}
      {data === undefined && error === null && (
        <section className="sheet">
          <SkeletonLines lines={9} what="the statistics" />
        </section>
      )}
    </>
  )
}

function summaryOf({ user_count, active_api_key_count }: DatabaseStats): string {
  const users = largeCountOf(user_count, 'user')
  const keys = largeCountOf(active_api_key_count, 'active API key')
  return `${users}, ${keys}`
}

/** `/admin/database/export`: exports the whole database, or one collection. */
export function ExportPage() {
  return (
    <>
      <title>Export Data · pKdex</title>
      <PageHead title="Export Data" />
      <div className="stack">
        <ExportAll />
        <ExportPredictions />
        <ExportCollections />
      </div>
    </>
  )
}

/** `/admin/audit`: who changed what, and when. */
export function AuditPage() {
  return (
    <>
      <title>Audit Log · pKdex</title>
      <PageHead title="Audit Log" below="All administrator actions, newest first">
        <ExportAudit />
      </PageHead>
      <AuditList />
    </>
  )
}

type Row = { name: string; count: number; avgObjSize: number; size: number }
type Sorting = { column: keyof Row; order: 'asc' | 'desc' }

/** Every collection with its count, as a bar as well, and its sizes. Any column sorts. */
function CollectionTable({ stats }: { stats: DatabaseStats }) {
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
          {header('avgObjSize', 'Size per row')}
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
          <td>Total</td>
          <td className={table.number}>
            {rows.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}
          </td>
          <td className={classes.share} aria-hidden="true" />
          <td className={`${table.number} ${classes.average}`} data-label="Size per row">
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
      <td className={`${table.number} ${classes.average}`} data-label="Size per row">
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

/** Names start from A, numbers from the largest; the same column again reverses the order. */
function nextSorting({ column: before, order }: Sorting, column: keyof Row): Sorting {
  if (before === column) return { column, order: order === 'asc' ? 'desc' : 'asc' }
  return { column, order: column === 'name' ? 'asc' : 'desc' }
}
