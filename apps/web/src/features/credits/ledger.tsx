/** Every change of a balance, newest first: the user's own, or any user's for administrators. */
import { type LedgerEntry, listLedger, listUserLedger } from '@pkdex/contract'
import {
  keepPreviousData,
  queryOptions,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { Link, Navigate } from 'react-router'
import type { z } from 'zod'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { callPage, messageOf } from '#web/lib/api.ts'
import { formatChange, formatMinute } from '#web/lib/format.ts'
import { usePage } from '#web/lib/use-page.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
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
      <Loaded
        query={query}
        what="the ledger"
        failure="Failed to load the ledger"
        reasonOf={reasonOf}
        lines={3}
      >
        {(ledger) => (
          <LedgerPage {...ledger} page={page} hrefOf={hrefOf} isStale={query.isPlaceholderData} />
        )}
      </Loaded>
    </Panel>
  )
}

type PageProps = {
  entries: Entry[]
  total: number
  page: number
  hrefOf: (page: number) => string
  isStale: boolean
}

function LedgerPage({ entries, total, page, hrefOf, isStale }: PageProps) {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_SIZE))
  // The page number was typed by hand, or is from an old link.
  if (!isStale && page > lastPage) return <Navigate to={hrefOf(lastPage)} replace />
  if (total === 0) return <p className="quiet">No changes yet.</p>
  return (
    <>
      <LedgerTable entries={entries} isStale={isStale} />
      {lastPage > 1 && (
        <Pager
          link={Link}
          label="Pages of the ledger"
          page={page}
          pageSize={PAGE_SIZE}
          total={total}
          hrefOf={hrefOf}
        />
      )}
    </>
  )
}

function LedgerTable({ entries, isStale }: { entries: Entry[]; isStale: boolean }) {
  return (
    <table
      className={`${table.table} ${table.inset} ${table.stacks}`}
      aria-label="Credits ledger"
      aria-busy={isStale}
    >
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Reason</th>
          <th scope="col" className={table.number}>
            Change
          </th>
          <th scope="col" className={table.number}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody data-stale={isStale}>
        {entries.map(({ id, created_at, reason, actor, note, delta, balance_after }) => (
          <tr key={id}>
            <td className={`${table.once} ${classes.when}`}>
              <time dateTime={created_at}>{formatMinute(created_at)}</time>
            </td>
            <td className={classes.reason}>
              {reason}
              {actor?.includes('@') && <small>{actor}</small>}
              {note !== undefined && note !== '' && <small>{note}</small>}
            </td>
            <td className={`${table.number} ${classes.change}`}>{formatChange(delta)}</td>
            <td className={`${table.number} ${classes.balance}`} data-label="Balance">
              {balance_after.toLocaleString('en')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
