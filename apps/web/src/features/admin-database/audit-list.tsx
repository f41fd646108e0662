/** What administrators did, newest first; search and page live in the URL. */
import { type AuditEntry, listAudit, SearchText } from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { adminReason } from '#web/lib/admin-api.ts'
import { callAdminPage } from '#web/lib/admin-session.ts'
import { formatMinute } from '#web/lib/format-time.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
import { AuditChange } from './audit-change.tsx'
import { AuditSubject } from './audit-subject.tsx'
import classes from './audit-list.module.css'

const PAGE_SIZE = 20

type Params = { page: number; search: string }

function auditQuery(params: Params) {
  return queryOptions({
    queryKey: ['admin', 'audit', params],
    queryFn: async ({ signal }) => {
      const query = { ...params, page_size: PAGE_SIZE }
      const { answer, total } = await callAdminPage(listAudit, { query, signal })
      return { entries: answer.entries, total: total ?? answer.entries.length }
    },
    placeholderData: keepPreviousData,
    // It grows with every action, also with those of others.
    staleTime: 0,
  })
}

export function AuditList() {
  const params = useParams()
  const navigate = useNavigate()
  const query = useQuery(auditQuery(params))
  return (
    <section className={`sheet ${table.sheet}`} aria-label="Actions">
      <div className={table.bar}>
        <SearchField
          label="Search the log"
          search={params.search}
          charactersMax={SearchText.unwrap().maxLength}
          onSearch={(search) =>
            void navigate(hrefOf({ page: 1, search }), { replace: true, preventScrollReset: true })
          }
        />
        <output className="quiet small">{query.data && countOf(query.data.total)}</output>
      </div>
      <Loaded
        query={query}
        what="the audit log"
        failure="Failed to load the audit log"
        reasonOf={adminReason}
        lines={8}
        isFlush
      >
        {({ entries, total }) => (
          <>
            {entries.length === 0 ? (
              <p className={`quiet ${classes.none}`}>{nothing(params)}</p>
            ) : (
              <AuditTable entries={entries} isStale={query.isPlaceholderData} />
            )}
            {total > 0 && (
              <Pager
                label="Pages of the audit log"
                page={params.page}
                pageSize={PAGE_SIZE}
                total={total}
                hrefOf={(page) => hrefOf({ ...params, page })}
              />
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function countOf(total: number): string {
  return `${total.toLocaleString('en')} ${total === 1 ? 'entry' : 'entries'}`
}

function AuditTable({ entries, isStale }: { entries: AuditEntry[]; isStale: boolean }) {
  return (
    <table
      className={`${table.table} ${table.stacks} ${classes.entries}`}
      aria-label="Audit log"
      aria-busy={isStale}
    >
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">Before and after</th>
        </tr>
      </thead>
      <tbody className={isStale ? table.stale : undefined}>
        {entries.map(({ id, at, administrator, action, subject, before, after }) => (
          <tr key={id}>
            <td className={`${table.once} ${classes.when}`}>
              <time dateTime={at}>{formatMinute(at)}</time>
            </td>
            <td className={classes.who}>{administrator}</td>
            <td className={classes.what}>
              <strong>{action}</strong>{' '}
              <AuditSubject subject={subject} before={before} after={after} />
            </td>
            <td className={table.wide}>
              <AuditChange before={before} after={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function useParams(): Params {
  const [searchParams] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
  return { page, search: SearchText.catch('').parse(searchParams.get('search') ?? '') }
}

function hrefOf({ page, search }: Params): string {
  const params = new URLSearchParams()
  if (page > 1) params.set('page', String(page))
  if (search !== '') params.set('search', search)
  return `?${params}`
}

function nothing({ page, search }: Params): string {
  if (search !== '') return `Nothing in the log matches “${search}”.`
  return page > 1 ? 'The log does not reach this far.' : 'No administrator has done anything yet.'
}
