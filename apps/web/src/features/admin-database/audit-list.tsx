/** What administrators did, newest first; search and page live in the URL. */
import { type AuditEntry, listAudit, SearchText } from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { formatMinute, largeCountOf } from '#web/lib/format.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
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
        <output className="quiet small">
          {query.data && largeCountOf(query.data.total, 'entry', 'entries')}
        </output>
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
                link={Link}
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

type SubjectProps = { subject: string; before: unknown; after: unknown }

/** Whom or what an action was about. A user is a link, by e-mail where the entry tells it. */
function AuditSubject({ subject, before, after }: SubjectProps) {
  const [, userId] = /^user ([\da-f-]{36})$/.exec(subject) ?? []
  if (userId === undefined) return <span className="quiet">{subject}</span>
  return (
    <Link to={`/admin/users/${userId}`} title={userId}>
      {emailOf(after) ?? emailOf(before) ?? `user ${userId.slice(0, 8)}`}
    </Link>
  )
}

function emailOf(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null || !('email' in fields)) return null
  return typeof fields.email === 'string' ? fields.email : null
}

type ChangeProps = { before: unknown; after: unknown }

/** What an action changed: field by field where both sides name it, before and after it. */
function AuditChange({ before, after }: ChangeProps) {
  const changes = changesOf(before, after)
  if (changes.length === 0) return <span className={`faint ${classes.nothing}`}>–</span>
  return (
    <ul className={classes.changes}>
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <span className="quiet">{field}</span> {from !== undefined && <del>{show(from)}</del>}
          {from !== undefined && to !== undefined && <span aria-hidden="true"> → </span>}
          {to !== undefined && <ins>{show(to)}</ins>}
        </li>
      ))}
    </ul>
  )
}

type Change = { field: string; from: unknown; to: unknown }

/** Fields that stayed the same are left out, and the id: it stands beside the action. */
function changesOf(before: unknown, after: unknown): Change[] {
  const from = fieldsOf(before)
  const to = fieldsOf(after)
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((field) => ({ field, from: from[field], to: to[field] }))
    .filter(({ field, from: one, to: other }) => field !== '_id' && show(one) !== show(other))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' ? { ...value } : { value }
}

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
