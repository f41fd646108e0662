/** The screens that other users share with the user, by name, owner and date. */
import type { SharedScreen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { countOf, formatMinute } from '#web/lib/format.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import table from '#web/ui/table.module.css'
import { sharedQuery } from './share-queries.ts'

/** Nothing if nothing is shared. */
export function SharedList() {
  const screens = useQuery(sharedQuery).data?.screens ?? []
  if (screens.length === 0) return null
  return (
    <section className={`sheet ${table.sheet}`} aria-label="Shared with me">
      <h2>Shared with me</h2>
      <DataTable label="Shared with me" columns={columns} rows={screens} keyOf={({ id }) => id} />
    </section>
  )
}

const columns: Column<SharedScreen>[] = [
  {
    title: 'Screen',
    cellClass: table.wide,
    cell: ({ id, name, targets, compounds }) => (
      <>
        <Link to={`/screens/${id}`}>{name ?? 'Untitled screen'}</Link>
        <small>{`${countOf(compounds, 'compound')} on ${countOf(targets, 'target')}`}</small>
      </>
    ),
  },
  { title: 'Owner', cell: ({ owner }) => owner },
  { title: 'Shared', cellClass: table.once, cell: ({ shared_at: at }) => formatMinute(at) },
]
