/** The list of users: one page, fast among 100,000, or all of it as a stream. */
import { Readable } from 'node:stream'
import type { AdminUser, ListUsersQuery } from '@pkdex/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { encodeRows } from '#server/platform/db/encode-rows.ts'
import { containsPattern } from '#server/platform/db/values.ts'
import type { Database, Tables } from '#server/platform/db/schema.ts'
import type { Row, Snapshots } from '#server/platform/db/snapshots.ts'
import { lastSeen, selectUsers, toAdminUser, userColumns, type UserRow } from './store.ts'

type Query = z.output<typeof ListUsersQuery>
type Order = Query['order']

/** Each column except "last seen" has an index that ends in the id, so that ties keep their order. */
const sortKeys = {
  email: sql`users.email_key`,
  name: sql`users.name_key`,
  credits: sql`users.credits`,
  last_seen: sql`coalesce(${lastSeen}, '-infinity')`,
} satisfies Record<Query['sort'], RawBuilder<unknown>>

type Page = { total: number; users: AdminUser[] }

export async function readUserPage(db: Database, query: Query & { page: number }): Promise<Page> {
  return (query.search === '' ? null : await readRare(db, query)) ?? readFrequent(db, query)
}

/** With fewer matches than this, finding and sorting them all is faster than walking the index. */
const RARE_MAX = 2000

/** One pass over the table finds, counts and sorts the matches; null if there are too many. */
async function readRare(db: Database, query: Query & { page: number }): Promise<Page | null> {
  const { page, page_size: size, order } = query
  const key = sortKeys[query.sort]
  const { total, ids } = await db
    .with(
      (hits) => hits('hits').materialized(),
      () =>
        matching(db, query)
          .select(['id', key.as('key')])
          .limit(RARE_MAX),
    )
    .selectNoFrom((build) => [
      build
        .selectFrom('hits')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .as('total'),
      sql<string[]>`array(${build
        .selectFrom('hits')
        .select('id')
        .orderBy('key', order)
        .orderBy('id', order)
        .offset((page - 1) * size)
        .limit(size)})`.as('ids'),
    ])
    .executeTakeFirstOrThrow()
  if (total === null || total >= RARE_MAX) return null
  if (ids.length === 0) return { total, users: [] }
  const rows = await readInOrder(db, ids, { key, order })
  return { total, users: rows.map(toAdminUser) }
}

async function readFrequent(db: Database, query: Query & { page: number }): Promise<Page> {
  const { total } = await matching(db, query)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const { page_size: size, order } = query
  const offset = (query.page - 1) * size
  if (offset >= total) return { total, users: [] }
  // Pages in the second half are read from the end of the index.
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
    .orderBy(sortKeys[query.sort], query.order)
    .orderBy('id', query.order)
  const snapshot = await snapshots.open({ users })
  const rows = encodeRows('json', { columns: [], pages: asAdminUsers(snapshot.pages('users')) })
  const stream = Readable.from(rows, { objectMode: false })
  // Closes it even if the stream is never read.
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

/** Ids first: an index-only scan finds them quickly, however deep the page. */
function readWindow(db: Database, query: Query, window: Window): Promise<UserRow[]> {
  const { offset, limit, order } = window
  const key = sortKeys[query.sort]
  const ids = matching(db, query)
    .select('id')
    .orderBy(key, order)
    .orderBy('id', order)
    .offset(offset)
    .limit(limit)
  return readInOrder(db, ids, { key, order })
}

function readInOrder(
  db: Database,
  ids: string[] | SelectQueryBuilder<Tables, 'users', { id: string }>,
  { key, order }: { key: RawBuilder<unknown>; order: Order },
): Promise<UserRow[]> {
  return selectUsers(db).where('id', 'in', ids).orderBy(key, order).orderBy('id', order).execute()
}

function reverse(order: Order): Order {
  return order === 'asc' ? 'desc' : 'asc'
}
