/** Every change of a balance, newest first: the user's own, or any user's for administrators. */
import { Box } from '#web/ui/layout.ts'
import { type LedgerEntry, listLedger, listUserLedger } from '@pkdex/contract'
import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { Link } from 'react-router'
import type { z } from 'zod'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { callPage, messageOf } from '#web/lib/api.ts'
import { formatChange, formatMinute } from '#web/lib/format.ts'
import { usePage } from '#web/lib/use-page.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import classes from './ledger.module.css'

const PAGE_SIZE = 10

/** Users do not see which administrator changed their balance, nor the administrator's note. */
type Entry = z.infer<typeof LedgerEntry> & { actor?: string; note?: string }
type Ledger = { entries: Entry[]; total: number }

function ownLedgerQuery(page: number) {
  return queryOptions({
    queryKey: ['credits', 'ledger', page],
    queryFn: async ({ signal }): Promise<Ledger> => {
      const query = { page, page_size: PAGE_SIZE }
      const { answer, total } = await callPage(listLedger, { query, signal })
      return { entries: answer.entries, total: total ?? answer.entries.length }
    },
    placeholderData: keepPreviousData,
  })
}

function userLedgerQuery(userId: string, page: number) {
  return queryOptions({
    queryKey: ['admin', 'user', userId, 'ledger', page],
    queryFn: async ({ signal }): Promise<Ledger> => {
      const query = { page, page_size: PAGE_SIZE }
      const params = { userId }
      const { answer, total } = await callAdminPage(listUserLedger, { params, query, signal })
      return { entries: answer.entries, total: total ?? answer.entries.length }
    },
    placeholderData: keepPreviousData,
  })
}

/** The signed-in user's own ledger. */
export function OwnLedger() {
  const paging = usePage('ledger')
  const query = useQuery(ownLedgerQuery(paging.page))
  return <LedgerPanel title="Credits" {...paging} query={query} reasonOf={reasonOf} />
}

function reasonOf(error: Error): string {
  return messageOf(error, '')
}

/** Any user's ledger, for administrators. */
export function UserLedger({ userId }: { userId: string }) {
  const paging = usePage('ledger')
  const query = useQuery(userLedgerQuery(userId, paging.page))
  return <LedgerPanel title="Credits ledger" {...paging} query={query} reasonOf={adminReason} />
}

type PanelProps = {
  title: string
  page: number
  hrefOf: (page: number) => string
  query: UseQueryResult<Ledger>
  reasonOf: (error: Error) => string
}

function LedgerPanel({ title, page, hrefOf, query, reasonOf }: PanelProps) {
  return (
    <Panel title={title}>
      <PagedTable
        query={query}
        what="the ledger"
        failure="Failed to load the ledger"
        reasonOf={reasonOf}
        lines={3}
        label="Credits ledger"
        columns={columns}
        keyOf={({ id }) => id}
        isInset
        pageOf={({ entries, total }) => ({ rows: entries, total })}
        paging={{ page, pageSize: PAGE_SIZE, hrefOf }}
        empty={<p className="quiet">No changes yet.</p>}
      />
    </Panel>
  )
}

const columns: Column<Entry>[] = [
  {
    title: 'Time',
    cellClass: `${table.once} ${classes.when}`,
    cell: ({ created_at }) => <time dateTime={created_at}>{formatMinute(created_at)}</time>,
  },
  {
    title: 'Reason',
    cellClass: classes.reason,
    cell: ({ reason, actor, note, screen_id }) => (
      <>
        {screen_id === null || actor !== undefined ? (
          reason
        ) : (
          <Link to={`/screens/${screen_id}`}>{reason}</Link>
        )}
        {actor?.includes('@') && <Small>{actor}</Small>}
        {note !== undefined && note !== '' && <Small>{note}</Small>}
      </>
    ),
  },
  {
    title: 'Change',
    isNumber: true,
    cellClass: classes.change,
    cell: ({ delta }) => formatChange(delta),
  },
  {
    title: 'Balance',
    label: true,
    isNumber: true,
    cellClass: classes.balance,
    cell: ({ balance_after }) => balance_after.toLocaleString('en'),
  },
]

function Small({ children }: { children: string }) {
  return (
    <Box component="small" className="quiet small" display="block" fw={400}>
      {children}
    </Box>
  )
}
