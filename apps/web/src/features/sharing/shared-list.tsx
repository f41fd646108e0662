/** The screens that other users share with the user, by name, owner and date. */
import { Box } from '#web/ui/layout.ts'
import type { SharedScreen } from '@pkdex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { countOf, formatMinute } from '#web/lib/format.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { sharedQuery } from './share-queries.ts'

/** Nothing if nothing is shared. */
export function SharedList() {
  const screens = useQuery(sharedQuery).data?.screens ?? []
  if (screens.length === 0) return null
  return (
    <Box mt="lg">
      <Panel title="Shared with me" isFlush>
        <DataTable label="Shared with me" columns={columns} rows={screens} keyOf={({ id }) => id} />
      </Panel>
    </Box>
  )
}

const columns: Column<SharedScreen>[] = [
  {
    title: 'Screen',
    cellClass: table.wide,
    cell: ({ id, name, targets, compounds }) => (
      <Link to={`/screens/${id}`}>
        {name ?? `${countOf(targets, 'target')} × ${countOf(compounds, 'compound')}`}
      </Link>
    ),
  },
  { title: 'Owner', cell: ({ owner }) => owner },
  { title: 'Shared', cellClass: table.once, cell: ({ shared_at: at }) => formatMinute(at) },
]
