/** Every change of a user's balance, newest first, page by page. */
import { type LedgerEntry, listUserLedger } from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import classes from './user-ledger.module.css'

const PAGE_SIZE = 10

type Entry = z.infer<typeof LedgerEntry>

function ledgerQuery(userId: string, page: number) {
  return queryOptions({
    queryKey: ['admin', 'user', userId, 'ledger', page],
    queryFn: async ({ signal }) => {
      const query = { page, page_size: PAGE_SIZE }
      const { answer, total } = await callAdminPage(listUserLedger, {
        params: { userId },
        query,
        signal,
      })
      return { entries: answer.entries, total: total ?? answer.entries.length }
    },
    placeholderData: keepPreviousData,
  })
}

export function UserLedger({ userId }: { userId: string }) {
  const [searchParams] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(searchParams.get('ledger'))) || 1)
  const query = useQuery(ledgerQuery(userId, page))
  return (
    <Panel title="Credits ledger">
      <Loaded
        query={query}
        what="the ledger"
        failure="Failed to load the ledger"
        reasonOf={adminReason}
        lines={3}
      >
        {(ledger) => <LedgerPage {...ledger} page={page} isStale={query.isPlaceholderData} />}
      </Loaded>
    </Panel>
  )
}

type PageProps = { entries: Entry[]; total: number; page: number; isStale: boolean }

function LedgerPage({ entries, total, page, isStale }: PageProps) {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_SIZE))
  // Somebody typed a number, or came by an old link.
  if (!isStale && page > lastPage) return <Navigate to={hrefOf(lastPage)} replace />
  if (total === 0) return <p className="quiet">The balance has never changed.</p>
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

function hrefOf(page: number): string {
  return page === 1 ? '?' : `?ledger=${page}`
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
          <th scope="col">When</th>
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
              {actor.includes('@') && <small>{actor}</small>}
              {note !== '' && <small>{note}</small>}
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

/** With its sign, and a true minus. */
export function formatChange(delta: number): string {
  const size = Math.abs(delta).toLocaleString('en')
  return delta < 0 ? `−${size}` : `+${size}`
}
