/** Administrator actions, newest first; search and page are in the URL. */
import { Box, Flex } from '#web/ui/layout.ts'
import { type AuditEntry, listAudit, SEARCH_CHARACTERS_MAX, SearchText } from '@pkdex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { adminReason, callAdminPage } from '#web/lib/admin-api.ts'
import { formatMinute, largeCountOf } from '#web/lib/format.ts'
import { type Column, PagedTable } from '#web/ui/data-table.tsx'
import { Field, Select } from '#web/ui/field.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import table from '#web/ui/table.module.css'
import classes from './audit-list.module.css'

const PAGE_SIZE = 20

/** Value of a date field; empty if none is chosen. */
const Day = z.union([z.iso.date(), z.literal('')])

type Filter = { search: string; administrator: string; action: string; from: string; to: string }
type Params = Filter & { page: number }

function auditQuery(params: Params) {
  return queryOptions({
    queryKey: ['admin', 'audit', params],
    queryFn: async ({ signal }) => {
      const { page, search, ...filter } = params
      const chosen = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
      const query = { page, search, ...chosen, page_size: PAGE_SIZE }
      const { answer, total } = await callAdminPage(listAudit, { query, signal })
      return { ...answer, total: total ?? answer.entries.length }
    },
    placeholderData: keepPreviousData,
    // Grows with every action, including those of others.
    staleTime: 0,
  })
}

export function AuditList() {
  const params = useParams()
  const navigate = useNavigate()
  const query = useQuery(auditQuery(params))
  const narrow = (change: Partial<Filter>) =>
    void navigate(hrefOf({ ...params, ...change, page: 1 }), {
      replace: true,
      preventScrollReset: true,
    })
  return (
    <section className={`sheet ${table.sheet}`} aria-label="Audit log">
      <div className={`${table.bar} ${classes.bar}`}>
        <SearchField
          label="Search the log"
          search={params.search}
          charactersMax={SEARCH_CHARACTERS_MAX}
          onSearch={(search) => narrow({ search })}
        />
        <Filters
          params={params}
          administrators={query.data?.administrators ?? []}
          actions={query.data?.actions ?? []}
          onChange={narrow}
        />
        <output className="quiet small">
          {query.data && largeCountOf(query.data.total, 'entry', 'entries')}
        </output>
      </div>
      <PagedTable
        query={query}
        what="the audit log"
        failure="Failed to load the audit log"
        reasonOf={adminReason}
        lines={8}
        isFlush
        label="Audit log"
        columns={columns}
        keyOf={({ id }) => id}
        className={classes.entries}
        pageOf={({ entries, total }) => ({ rows: entries, total })}
        paging={{
          page: params.page,
          pageSize: PAGE_SIZE,
          hrefOf: (page) => hrefOf({ ...params, page }),
        }}
        empty={<p className={`quiet ${table.bar}`}>{nothing(params)}</p>}
      />
    </section>
  )
}

type FiltersProps = {
  params: Params
  administrators: string[]
  actions: string[]
  onChange: (change: Partial<Filter>) => void
}

function Filters({ params, administrators, actions, onChange }: FiltersProps) {
  const { administrator, action, from, to } = params
  return (
    <Flex className={classes.filters} wrap="wrap" rowGap="xs" columnGap="sm">
      <Select
        label="Administrator"
        value={administrator}
        options={optionsOf('All', administrators, administrator)}
        onChange={(chosen) => onChange({ administrator: chosen })}
      />
      <Select
        label="Action"
        value={action}
        options={optionsOf('All', actions, action)}
        onChange={(chosen) => onChange({ action: chosen })}
      />
      <Field
        label="From"
        type="date"
        value={from}
        onChange={({ currentTarget: { value } }) => onChange({ from: value })}
      />
      <Field
        label="To"
        type="date"
        value={to}
        onChange={({ currentTarget: { value } }) => onChange({ to: value })}
      />
    </Flex>
  )
}

/** Includes the administrator named in the URL before the list is loaded. */
function optionsOf(all: string, values: string[], chosen: string) {
  const named = [...new Set([...values, ...(chosen === '' ? [] : [chosen])])]
  return [{ value: '', label: all }, ...named.map((value) => ({ value, label: value }))]
}

const columns: Column<AuditEntry>[] = [
  {
    title: 'Time',
    cellClass: `${table.once} ${classes.when}`,
    cell: ({ at }) => <time dateTime={at}>{formatMinute(at)}</time>,
  },
  { title: 'Administrator', cellClass: classes.who, cell: ({ administrator }) => administrator },
  {
    title: 'Action',
    cellClass: classes.what,
    cell: ({ action, subject, person }) => (
      <>
        <Box component="strong" fw={500}>
          {action}
        </Box>{' '}
        <AuditSubject subject={subject} person={person} />
      </>
    ),
  },
  {
    title: 'Changes',
    cellClass: table.wide,
    cell: ({ before, after }) => <AuditChange before={before} after={after} />,
  },
]

function useParams(): Params {
  const [searchParams] = useSearchParams()
  const page = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
  const textOf = (name: string) => SearchText.catch('').parse(searchParams.get(name) ?? '')
  const dayOf = (name: string) => Day.catch('').parse(searchParams.get(name) ?? '')
  return {
    page,
    search: textOf('search'),
    administrator: textOf('administrator'),
    action: textOf('action'),
    from: dayOf('from'),
    to: dayOf('to'),
  }
}

function hrefOf({ page, ...filter }: Params): string {
  const params = new URLSearchParams()
  if (page > 1) params.set('page', String(page))
  for (const [name, value] of Object.entries(filter)) if (value !== '') params.set(name, value)
  return `?${params}`
}

function nothing({ search, administrator, action, from, to }: Params): string {
  if ([administrator, action, from, to].some((value) => value !== '')) return 'No matches.'
  if (search !== '') return `No matches for “${search}”.`
  return 'No actions recorded yet.'
}

type SubjectProps = { subject: string; person: string | null }

/** The subject of an action. A user is a link, with the email if it is known. */
function AuditSubject({ subject, person }: SubjectProps) {
  const [, userId] = /^user ([\da-f-]{36})$/.exec(subject) ?? []
  if (userId === undefined) return <span className="quiet">{subject}</span>
  return (
    <Link to={`/admin/users/${userId}`} title={userId}>
      {person ?? `user ${userId.slice(0, 8)}`}
    </Link>
  )
}

type ChangeProps = { before: unknown; after: unknown }

/** The changes of an action: before and after, per field if both have it. */
function AuditChange({ before, after }: ChangeProps) {
  const changes = changesOf(before, after)
  if (changes.length === 0) return <span className={`faint ${classes.nothing}`}>–</span>
  return (
    <ul className={`small breaks ${classes.changes}`}>
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

/** Shown last: an entry about several users begins with what was done. */
const LAST_FIELDS = ['count', 'emails', 'ids']

/** Fields that did not change are omitted, and so is the id, which is shown next to the action. */
function changesOf(before: unknown, after: unknown): Change[] {
  const from = fieldsOf(before)
  const to = fieldsOf(after)
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .map((field) => ({ field, from: from[field], to: to[field] }))
    .filter(({ field, from: one, to: other }) => field !== '_id' && show(one) !== show(other))
    .toSorted((one, other) => LAST_FIELDS.indexOf(one.field) - LAST_FIELDS.indexOf(other.field))
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (value === null || value === undefined) return {}
  return typeof value === 'object' ? { ...value } : { value }
}

/** Longer lists of emails or ids are cut, with the number of others. */
const SHOWN_OF_LIST = 3

function show(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none'
  if (Array.isArray(value)) {
    const more = value.length - SHOWN_OF_LIST
    const shown = value.slice(0, SHOWN_OF_LIST).map(show).join(', ')
    return more > 0 ? `${shown} and ${more.toLocaleString('en')} more` : shown
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}
