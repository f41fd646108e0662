/** The list of users: one page of it, quick among 100,000, or all of it as a stream. */
import { Readable } from 'node:stream'
import type { AdminUser, ListUsersQuery } from '@pkdex/contract'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import { containsPattern } from '#server/platform/db/values.ts'
import type { Database, Tables } from '#server/platform/db/schema.ts'
import type { Row, Snapshots } from '#server/platform/db/snapshots.ts'
import { selectUsers, toAdminUser, userColumns, type UserRow } from './store.ts'

type Query = z.output<typeof ListUsersQuery>
type Order = Query['order']

/** Each has an index that ends in the id, so that users who are alike keep their order. */
const sortColumns = { email: 'email_key', name: 'name_key', credits: 'credits' } as const

type Page = { total: number; users: AdminUser[] }

export async function readUserPage(db: Database, query: Query & { page: number }): Promise<Page> {
  return (query.search === '' ? null : await readRare(db, query)) ?? readFrequent(db, query)
}

/** With fewer hits than this it is quicker to find them all and sort them than to walk the order. */
const RARE_MAX = 2000

/** One pass over the table finds, counts and sorts the hits; null where there are too many of them. */
async function readRare(db: Database, query: Query & { page: number }): Promise<Page | null> {
  const { page, page_size: size, order } = query
  const column = sortColumns[query.sort]
  const { total, ids } = await db
    .with(
      (hits) => hits('hits').materialized(),
      () => matching(db, query).select(['id', column]).limit(RARE_MAX),
    )
    .selectNoFrom((build) => [
      build
        .selectFrom('hits')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .as('total'),
      sql<string[]>`array(${build
        .selectFrom('hits')
        .select('id')
        .orderBy(column, order)
        .orderBy('id', order)
        .offset((page - 1) * size)
        .limit(size)})`.as('ids'),
    ])
    .executeTakeFirstOrThrow()
  if (total === null || total >= RARE_MAX) return null
  if (ids.length === 0) return { total, users: [] }
  const rows = await readInOrder(db, ids, { column, order })
  return { total, users: rows.map(toAdminUser) }
}

async function readFrequent(db: Database, query: Query & { page: number }): Promise<Page> {
  const { total } = await matching(db, query)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { page_size: size, order } = query
  const offset = (query.page - 1) * size
  if (offset >= total) return { total, users: [] }
  // The far half is read from its own end: an index is walked from one end to the page.
  const fromEnd = {
    offset: Math.max(0, total - offset - size),
    limit: Math.min(size, total - offset),
  }
  const window =
    offset > total / 2 ? { ...fromEnd, order: reverse(order) } : { offset, limit: size, order }
  const rows = await readWindow(db, query, window)
  const users = rows.map(toAdminUser)
  return { total, users: window.order === order ? users : users.toReversed() }
}

/** The whole list as a JSON array. */
export async function streamUsers(
  db: Database,
  snapshots: Snapshots,
  query: Query,
): Promise<Readable> {
  const users = matching(db, query)
    .select(userColumns)
    .orderBy(sortColumns[query.sort], query.order)
    .orderBy('id', query.order)
  const snapshot = await snapshots.open({ users })
  const rows = encodeRows('json', { columns: [], pages: asAdminUsers(snapshot.pages('users')) })
  const stream = Readable.from(rows, { objectMode: false })
  // Also where nobody ever reads it.
  stream.once('close', () => void snapshot.close().catch(() => undefined))
  return stream
}

async function* asAdminUsers(pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const page of pages) yield page.map((row) => toAdminUser(withDate(row)))
}

function withDate(row: Row): UserRow {
  return { ...(row as UserRow), created_at: new Date(String(row.created_at)) }
}

function matching(db: Database, { search, status }: Query) {
  return db
    .selectFrom('users')
    .$if(status !== undefined, (all) => all.where('is_active', '=', status === 'active'))
    .$if(search !== '', (all) => all.where('search_text', 'like', containsPattern(search)))
}

type Window = { offset: number; limit: number; order: Order }

/** The ids first: an index alone answers which they are, however far into the list. */
function readWindow(db: Database, query: Query, window: Window): Promise<UserRow[]> {
  const { offset, limit, order } = window
  const column = sortColumns[query.sort]
  const ids = matching(db, query)
    .select('id')
    .orderBy(column, order)
    .orderBy('id', order)
    .offset(offset)
    .limit(limit)
  return readInOrder(db, ids, { column, order })
}

function readInOrder(
  db: Database,
  ids: string[] | SelectQueryBuilder<Tables, 'users', { id: string }>,
  { column, order }: { column: (typeof sortColumns)[Query['sort']]; order: Order },
): Promise<UserRow[]> {
  return selectUsers(db)
    .where('id', 'in', ids)
    .orderBy(column, order)
    .orderBy('id', order)
    .execute()
}

function reverse(order: Order): Order {
  return order === 'asc' ? 'desc' : 'asc'
}
