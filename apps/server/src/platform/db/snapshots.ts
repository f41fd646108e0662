/**
 * Reads long lists as of one moment, page by page, so that no whole list is in memory. On a server a snapshot is a
 * transaction on its own connection. The embedded database has one connection for everyone: there the rows are
 * copied in one step, and pages of the copy are read between other queries.
 */
import { randomUUID } from 'node:crypto'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { busy, IDLE_MS, openPlaces, type Place } from '#server/platform/limits/places.ts'
import type { Connections } from './connection-turns.ts'
import { type OpenDatabase, types as poolTypes } from './open.ts'

/** Timestamps are ISO 8601 strings. */
export type Row = Record<string, unknown>

export type Snapshot = {
  /** The rows of one query; can be read only once. After the last query its resources are released. */
  pages(name: string): AsyncGenerator<Row[]>
  /** Releases the snapshot, and lets its reader open another. Safe to call at any time, and repeatedly. */
  close(): Promise<void>
}

export type Snapshots = {
  /** Each `reader` can have one snapshot at a time. */
  open(queries: Record<string, Compilable>, reader?: string): Promise<Snapshot>
}

/** Each keeps a connection or a copy; more at a time would starve other requests. */
const SNAPSHOTS_MAX = 3
const limits = {
  /** A reader that pauses for this long loses its snapshot. */
  stallMsMax: 60_000,
  /** How long to wait for a place; for how long one is kept while others wait. */
  waitMsMax: 5000,
  keptMs: 120_000,
}

export function openSnapshots(
  database: OpenDatabase,
  chosen: Partial<typeof limits> = {},
): Snapshots {
  const { stallMsMax, ...patience } = { ...limits, ...chosen }
  const places = openPlaces({
    ...patience,
    all: SNAPSHOTS_MAX,
    refusal: busy(allTaken),
  })
  const readers = openPlaces({
    perUser: 1,
    waitingMax: 0,
    refusal: busy('You already have a download in progress. Try again when it has finished.'),
  })
  return {
    async open(queries, reader = randomUUID()) {
      const own = await readers.take(reader)
      return inPlaceUntilClosed(own, async (leaveOwn) => {
        const place = await places.take(reader)
        const session = await openSession(database).catch((error: unknown) => {
          place.leave()
          throw error
        })
        const end = once(async () => {
          place.leave()
          await session.end()
        })
        const snapshot = await readWith(session, { queries, end, leaveOwn, stallMsMax }).catch(
          async (error: unknown) => {
            await end()
            throw error
          },
        )
        place.onWanted(() => void snapshot.close().catch(() => undefined), snapshot.isIdle)
        return snapshot
      })
    },
  }
}

const allTaken = 'Too many exports in progress. Try again in a moment.'

/** A reader keeps the place until `leave`. */
async function inPlaceUntilClosed<T>(
  place: Place,
  work: (leave: () => void) => Promise<T>,
): Promise<T> {
  const leave = () => place.leave()
  return work(leave).catch((error: unknown) => {
    leave()
    throw error
  })
}

type Run = (text: string, values?: readonly unknown[]) => Promise<pg.QueryResult<Row>>

/** How a snapshot accesses its database. */
type Session = {
  isHeld: boolean
  /** Runs without other queries in between. */
  inOneGo<T>(work: (run: Run) => Promise<T>): Promise<T>
  end(): Promise<void>
}

async function openSession({ pool, source }: OpenDatabase): Promise<Session> {
  if (source.kind === 'embedded') {
    return { isHeld: true, inOneGo: (work) => borrow(pool, work), end: async () => undefined }
  }
  const client = await pool.connect()
  let broken: Error | undefined
  // Without a listener, a connection lost between two pages would end the process.
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
async function borrow<T>(pool: Connections, work: (run: Run) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(runOn(client))
  } finally {
    client.release()
  }
}

function runOn(client: pg.PoolClient): Run {
  // With values, the driver interprets `types` as parameter types.
  return (text, values = []) =>
    client.query<Row>(values.length > 0 ? { text, values: [...values] } : { text, types })
}

/** Timestamps stay strings: converting each to a date and back is most of the work of a long list. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.TIMESTAMPTZ && format !== 'binary'
      ? toIsoText
      : poolTypes.getTypeParser(id, format),
}

/** `2026-11-21 00:24:03.12+00`, in the session's time zone, without trailing zeros. */
function toIsoText(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString()
  const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

type Reading = {
  queries: Record<string, Compilable>
  /** Releases the snapshot's resources: when it is closed, or when everything has been read. */
  end: () => Promise<void>
  /** Lets the reader open another snapshot. */
  leaveOwn: () => void
  stallMsMax: number
}

async function readWith(
  session: Session,
  reading: Reading,
): Promise<Snapshot & { isIdle: () => boolean }> {
  const { queries, end, leaveOwn, stallMsMax } = reading
  const prefix = `snapshot_${randomUUID().replaceAll('-', '')}`
  const cursors = new Map(Object.keys(queries).map((name, index) => [name, `${prefix}_${index}`]))
  await session.inOneGo((run) => declare(run, session, { queries, cursors }))
  const unread = new Set(cursors.keys())
  let isClosed = false
  /** Since when its reader has not asked for a page. */
  let leftAt = performance.now()
  const release = once(async () => {
    clearTimeout(watch)
    try {
      if (session.isHeld) await session.inOneGo((run) => closeAll(run, cursors.values()))
    } finally {
      await end()
    }
  })
  const close = async () => {
    isClosed = true
    leaveOwn()
    await release()
  }
  const watch = setTimeout(() => void close().catch(() => undefined), stallMsMax).unref()
  return {
    close,
    isIdle: () => performance.now() - leftAt > IDLE_MS,
    async *pages(name) {
      const cursor = cursors.get(name)
      if (cursor === undefined) throw new Error(`the snapshot has no ${name}`)
      for (let count = FIRST_PAGE_ROWS; ;) {
        if (isClosed) throw new Error('the snapshot was closed before it was read to its end')
        const { rows } = await session.inOneGo((run) => run(`fetch ${count} from ${cursor}`))
        watch.refresh()
        if (rows.length === 0) {
          unread.delete(name)
          if (unread.size === 0) await release()
          return
        }
        leftAt = performance.now()
        yield rows
        leftAt = Infinity
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

/** Rows of a table have similar lengths, so the size of the next page is chosen to be quick to read. */
function nextCount(rows: Row[]): number {
  const sample = rows.slice(-SAMPLE_ROWS)
  const perRow = JSON.stringify(sample).length / sample.length
  return Math.max(1, Math.min(PAGE_ROWS_MAX, Math.floor(PAGE_CHARACTERS / perRow)))
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}
