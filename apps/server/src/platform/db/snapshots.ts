/**
 * Reads long lists from one moment of the database, a page at a time, so that no list is ever held in
 * memory. On a server a snapshot is a transaction on a connection of its own. The embedded database has
 * one connection for everybody: there the rows are copied aside in one go, and the pages of the copy
 * are read in between other people's work.
 */
import { randomUUID } from 'node:crypto'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { AppError } from '#server/platform/errors.ts'
import { type OpenDatabase, types as poolTypes } from './open.ts'

/** Moments are texts, as ISO 8601 writes them. */
export type Row = Record<string, unknown>

export type Snapshot = {
  /** The rows of one of the queries, to be read once. */
  pages(name: string): AsyncGenerator<Row[]>
  /** Gives back what the snapshot holds. May be called at any time, and again. */
  close(): Promise<void>
}

export type Snapshots = {
  /** `reader`: has one at a time. */
  open(queries: Record<string, Compilable>, reader?: string): Promise<Snapshot>
}

/** Each holds a connection or a copy; more at once would starve everybody else. */
const SNAPSHOTS_MAX = 3
/** A reader that stops reading for this long loses its snapshot. */
const STALL_MS_MAX = 60_000

export function openSnapshots(database: OpenDatabase, stallMsMax = STALL_MS_MAX): Snapshots {
  const readers: (string | undefined)[] = []
  return {
    async open(queries, reader) {
      expectRoom(readers, reader)
      readers.push(reader)
      const leave = () => void readers.splice(readers.indexOf(reader), 1)
      const session = await openSession(database).catch((error: unknown) => {
        leave()
        throw error
      })
      const end = once(async () => {
        leave()
        await session.end()
      })
      return readWith(session, { queries, end, stallMsMax }).catch(async (error: unknown) => {
        await end()
        throw error
      })
    },
  }
}

function expectRoom(readers: (string | undefined)[], reader: string | undefined): void {
  const isReading = reader !== undefined && readers.includes(reader)
  if (!isReading && readers.length < SNAPSHOTS_MAX) return
  const message = isReading
    ? 'One download of yours is under way. Please wait until it has ended.'
    : 'Several long lists are being read already. Please wait until one has ended.'
  throw new AppError('too_many_requests', message, { retryAfterSeconds: 30 })
}

type Run = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult<Row>>

/** How a snapshot talks to its database. */
type Session = {
  isHeld: boolean
  /** What must happen without anybody in between. */
  inOneGo<T>(work: (run: Run) => Promise<T>): Promise<T>
  end(): Promise<void>
}

async function openSession({ pool, source }: OpenDatabase): Promise<Session> {
  if (source.kind === 'embedded') {
    return { isHeld: true, inOneGo: (work) => borrow(pool, work), end: async () => undefined }
  }
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection that is lost between two pages would otherwise end the process.
  const note = (error: Error) => (broken = error)
  client.on('error', note)
  return {
    isHeld: false,
    inOneGo: (work) => work(runOn(client)),
    async end() {
      await client.query('rollback').catch(note)
      client.off('error', note)
      client.release(broken)
    },
  }
}

/** Never drops the client on an error: the embedded database's session lives on in it. */
async function borrow<T>(pool: pg.Pool, work: (run: Run) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(runOn(client))
  } finally {
    client.release()
  }
}

function runOn(client: pg.PoolClient): Run {
  // With values, the driver takes `types` for something else: the types of the parameters.
  return (text, values = []) =>
    client.query<Row>(values.length > 0 ? { text, values: [...values] } : { text, types })
}

/** Moments stay texts: making a date of each and a text of that again is most of the work of a long list. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
      ? toIsoText
      : poolTypes.getTypeParser(id, format),
}

/** `2026-11-21 00:24:03.12+00`, in the time zone of the session, without zeros at the end. */
function toIsoText(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

type Reading = {
  queries: Record<string, Compilable>
  end: () => Promise<void>
  stallMsMax: number
}

async function readWith(session: Session, reading: Reading): Promise<Snapshot> {
  const { queries, end, stallMsMax } = reading
  const prefix = `snapshot_${randomUUID().replaceAll('-', '')}`
  const cursors = new Map(Object.keys(queries).map((name, index) => [name, `${prefix}_${index}`]))
  await session.inOneGo((run) => declare(run, session, { queries, cursors }))
  let isClosed = false
  const close = once(async () => {
    isClosed = true
    clearTimeout(watch)
    try {
      if (session.isHeld) await session.inOneGo((run) => closeAll(run, cursors.values()))
    } finally {
      await end()
    }
  })
  const watch = setTimeout(() => void close().catch(() => undefined), stallMsMax).unref()
  return {
    close,
    async *pages(name) {
      const cursor = cursors.get(name)
      if (cursor === undefined) throw new Error(`the snapshot has no ${name}`)
      for (let count = FIRST_PAGE_ROWS; ;) {
        if (isClosed) throw new Error('the snapshot was closed before it was read to its end')
        const { rows } = await session.inOneGo((run) => run(`fetch ${count} from ${cursor}`))
        watch.refresh()
        if (rows.length === 0) return
        yield rows
        count = nextCount(rows)
      }
    },
  }
}

type Cursors = { queries: Record<string, Compilable>; cursors: Map<string, string> }

async function declare(run: Run, { isHeld }: Session, { queries, cursors }: Cursors) {
  await run('begin isolation level repeatable read read only')
  try {
    for (const [name, query] of Object.entries(queries)) {
      const { sql, parameters } = query.compile()
      const hold = isHeld ? 'with hold' : ''
      await run(`declare ${cursors.get(name)} no scroll cursor ${hold} for ${sql}`, parameters)
    }
    if (isHeld) await run('commit')
  } catch (error) {
    await run('rollback')
    throw error
  }
}

async function closeAll(run: Run, cursors: Iterable<string>): Promise<void> {
  for (const cursor of cursors) await run(`close ${cursor}`)
}

const FIRST_PAGE_ROWS = 20
const PAGE_ROWS_MAX = 500
const SAMPLE_ROWS = 20
const PAGE_CHARACTERS = 65_536

/** Rows of a table are about as long as each other: the next page is of a size that is quick to read. */
function nextCount(rows: Row[]): number {
  const sample = rows.slice(-SAMPLE_ROWS)
  const perRow = JSON.stringify(sample).length / sample.length
  return Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor(PAGE_CHARACTERS / perRow)))
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
