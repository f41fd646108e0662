/**
 * Opens the database: embedded in a folder, or on a PostgreSQL server. Both stand behind one pool,
 * so that everything else has a single code path. The tables are up to date afterwards.
 */
import { join } from 'node:path'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { awaitServer } from './await-server.ts'
import { giveTurns } from './connection-turns.ts'
import { openDiskReserve } from './embedded/disk-reserve.ts'
import { otherDisk, type Room, watchDisk } from './embedded/disk-watch.ts'
import { expectRoomToStart } from './embedded/folder-error.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { checkpoint, startHousekeeping } from './embedded/housekeeping.ts'
import { up as firstLight } from './migrations/0001-first-light.ts'
import { up as administration } from './migrations/0002-administration.ts'
import { up as boundedReports } from './migrations/0003-bounded-reports.ts'
import { up as screens } from './migrations/0006-screens.ts'
import { up as deletion } from './migrations/0007-deletion.ts'
import { up as measurements } from './migrations/0009-measurements.ts'
import { up as ownKeys } from './migrations/0011-own-keys.ts'
import { up as ownColumns } from './migrations/0012-own-columns.ts'
import { up as severalUsers } from './migrations/0013-several-users.ts'
import { up as lastSeen } from './migrations/0014-last-seen.ts'
import { openFolder } from './embedded/open-folder.ts'
import type { Database, Tables } from './schema.ts'
import { watchSilence } from './outages.ts'

export type OpenDatabase = {
  db: Database
  pool: pg.Pool
  /** What the queue needs to hear of new jobs: the embedded database itself, or the server's address. */
  source: { kind: 'embedded'; pglite: PGlite } | { kind: 'server'; url: string }
  /** Whether there is room on disk for more. */
  room: Room
  close(): Promise<void>
}

type Place = {
  databaseUrl: string | undefined
  dataDir: string
  /** The disk of the embedded database is full with less than this. */
  diskBytesMin?: number
  /** How long a PostgreSQL server is waited for. */
  databaseWaitMs?: number
  log: Log
}

export async function openDatabase(place: Place): Promise<OpenDatabase> {
  const { databaseUrl, databaseWaitMs: waitMs = 0, log } = place
  const opened =
    databaseUrl === undefined ? await openEmbedded(place) : openServer(databaseUrl, log)
  try {
    await awaitServer(() => sql`select 1`.execute(opened.db), { waitMs, log })
    await migrate(opened.db)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Every migration, in order. Names are never changed once released. */
export const migrations: Record<string, Migration> = {
  '0001-first-light': { up: firstLight },
  '0002-administration': { up: administration },
  '0003-bounded-reports': { up: boundedReports },
  '0006-screens': { up: screens },
  '0007-deletion': { up: deletion },
  '0009-measurements': { up: measurements },
  '0011-own-keys': { up: ownKeys },
  '0012-own-columns': { up: ownColumns },
  '0013-several-users': { up: severalUsers },
  '0014-last-seen': { up: lastSeen },
}

/** Safe when several processes start at once: one migrates, the others wait. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error })
}

async function openEmbedded({ dataDir, diskBytesMin = 0, log }: Place): Promise<OpenDatabase> {
  const lock = lockFolder(dataDir)
  try {
    const reserve = openDiskReserve(dataDir)
    const disk = watchDisk({ folder: dataDir, bytesMin: diskBytesMin, reserve, log })
    const folder = join(dataDir, 'database')
    if (!reserve.isHeld()) expectRoomToStart(dataDir)
    const opened = overPglite(await openFolder(folder, new Date(), reserve), log)
    await disk.look()
    const housekeeping = startHousekeeping(opened.db, log)
    return {
      ...opened,
      room: disk,
      close: async () => {
        disk.stop()
        housekeeping.stop()
        await checkpoint(opened.db)
        await opened.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** The pool must never drop its one client: PGlite's session, and what is open in it, would live on. */
export function overPglite(pglite: PGlite, log: Log): OpenDatabase {
  const pool = new pg.Pool(
    Object.assign(createPgConfig(pglite), {
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
      types,
    }),
  )
  giveTurns(pool, { connections: 1, waitMsMax: CONNECTION_WAIT_MS })
  const opened = overPool(pool, log)
  return {
    ...opened,
    source: { kind: 'embedded', pglite },
    close: async () => {
      await opened.db.destroy()
      await pglite.close()
    },
  }
}

export function openServer(url: string, log: Log): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: SERVER_WAIT_MS,
    // A server that went away without a word, as behind a proxy, is noticed by the system.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  })
  giveTurns(pool, { connections: CONNECTIONS_MAX, waitMsMax: SERVER_WAIT_MS })
  const watch = watchSilence(pool, url, log)
  const opened = overPool(pool, log)
  const close = async () => {
    await opened.db.destroy()
    watch.stop()
  }
  return { ...opened, source: { kind: 'server', url }, close }
}

/** Of each process; deploy/compose.yaml counts on it. */
const CONNECTIONS_MAX = 10

/** A server that gives nobody a connection for this long is away. */
const SERVER_WAIT_MS = 4000

/** Longer than any honest wait; a wait for oneself ends here with an error instead of never. */
const CONNECTION_WAIT_MS = 20_000

const KEEP_ALIVE_MS = 10_000

function overPool(pool: pg.Pool, log: Log): Pick<OpenDatabase, 'db' | 'pool' | 'room'> {
  // A connection may break while it waits in the pool or while it is in use: an error without a
  // listener would end the process. Whoever uses the connection hears of it from the statement.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'lost a database connection'))
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, room: otherDisk }
}

const numberTypes: ReadonlySet<number> = new Set([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
])

/** Counts and credits arrive as numbers; they stay far below 2^53. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    numberTypes.has(id) && format !== 'binary'
      ? (value: string) => Number(value)
      : pg.types.getTypeParser(id, format),
}
