/** The pages about the database: `/admin/database/stats`, `/admin/database/export` and `/admin/audit`. */
import { Box } from '#web/ui/layout.ts'
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
import { type Column, DataTable } from '#web/ui/data-table.tsx'
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
        <Box mb="md">
          <Note tone="failure" title={messages.admin.statsFailed}>
            {adminReason(error)}
          </Note>
        </Box>
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
  const sortBy = (column: keyof Row) => ({
    order: sorting.column === column ? sorting.order : null,
    onSort: () => setSorting(nextSorting(sorting, column)),
  })
  const columns: Column<Row>[] = [
    { title: 'Collection', sort: sortBy('name'), cellClass: 'mono', cell: ({ name }) => name },
    {
      title: 'Count',
      sort: sortBy('count'),
      isNumber: true,
      cell: ({ count }) => count.toLocaleString('en'),
    },
    {
      title: 'Share of the largest count',
      heading: null,
      cellClass: classes.share,
      cell: ({ count }) => <Share share={count / largest} />,
    },
    {
      title: 'Size per row',
      sort: sortBy('avgObjSize'),
      label: true,
      isNumber: true,
      cellClass: classes.average,
      cell: ({ avgObjSize }) => formatBytes(avgObjSize),
    },
    {
      title: 'Size',
      sort: sortBy('size'),
      isNumber: true,
      cell: ({ size }) => formatBytes(size),
    },
  ]
  return (
    <DataTable
      label="Collections"
      rows={rows}
      keyOf={({ name }) => name}
      columns={columns}
      className={classes.collections}
      foot={
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
      }
    />
  )
}

function Share({ share }: { share: number }) {
  return (
    <>
      <span className="visually-hidden">{Math.round(share * 100)} %</span>
      {share > 0 && <div className={classes.bar} style={{ width: `${share * 100}%` }} />}
    </>
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
