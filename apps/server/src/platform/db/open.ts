/**
 * Opens the database: embedded in a folder, or on a PostgreSQL server, both behind one pool so that everything
 * else has a single code path. Migrates the tables.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { FileMigrationProvider, type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { awaitServer } from './await-server.ts'
import { type Connections, openTurns } from './connection-turns.ts'
import { openDiskReserve } from './embedded/disk-reserve.ts'
import { otherDisk, type Room, watchDisk } from './embedded/disk-watch.ts'
import { expectRoomToStart } from './embedded/folder-error.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { checkpoint, startHousekeeping } from './embedded/housekeeping.ts'
import { moveCells } from './move-cells.ts'
import { flattenKeys } from './flatten-keys.ts'
import { moveInSlices } from './move-in-slices.ts'
import { movePoses } from './move-poses.ts'
import { openFolder } from './embedded/open-folder.ts'
import { prepareRepeated } from './embedded/prepare-repeated.ts'
import type { Database, Tables } from './schema.ts'
import { watchSilence } from './outages.ts'
import { OperatorError } from '#server/platform/errors.ts'

export type OpenDatabase = {
  db: Database
  pool: Connections
  /** How the queue is notified of new jobs: by the embedded database itself, or at the server's address. */
  source: { kind: 'embedded'; pglite: PGlite } | { kind: 'server'; url: string }
  /** Whether there is enough disk space for more data. */
  room: Room
  close(): Promise<void>
}

type Place = {
  databaseUrl: string | undefined
  dataDir: string
  /** Below this the disk of the embedded database counts as full. */
  diskBytesMin?: number
  /** How long to wait for a PostgreSQL server. */
  databaseWaitMs?: number
  log: Log
}

export async function openDatabase(place: Place): Promise<OpenDatabase> {
  const { databaseUrl, databaseWaitMs: waitMs = 0, log } = place
  const opened =
    databaseUrl === undefined ? await openEmbedded(place) : openServer(databaseUrl, log)
  try {
    await awaitServer(() => sql`select 1`.execute(opened.db), { waitMs, log })
    await migrate(opened.db, log)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Every file of the folder, by name. Released names never change. */
export const migrations = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: fileURLToPath(new URL('migrations', import.meta.url)),
  import: (file) => import(pathToFileURL(file).href) as Promise<Migration>,
})

/** Safe when several processes start at once: one migrates, the others wait. */
export async function migrate(db: Database, log: Pick<Log, 'info'> = noLog): Promise<void> {
  await refuseNewer(db)
  const migrator = new Migrator({
    db,
    provider: migrations,
    // Numbers are assigned before the work begins, so a migration with a lower number may be released later.
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error })
  for (const move of [moveCells, movePoses, flattenKeys]) await moveInSlices(db, move, log)
}

const noLog = { info: () => undefined }

/** Refuses a newer database: its tables are not what this program expects, and a migration cannot be undone. */
export async function refuseNewer(db: Database): Promise<void> {
  const { rows } = await sql<{ is: boolean }>`
    select to_regclass('kysely_migration') is not null as is`.execute(db)
  if (rows[0]?.is !== true) return
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const all = await migrations.getMigrations()
  const unknown = applied.rows.find(({ name }) => all[name] === undefined)
  if (unknown === undefined) return
  const message =
    `This database was already used by a newer version of pKdex (it has ${unknown.name}). ` +
    'Start that version again, or restore a backup made before the upgrade.'
  throw new OperatorError(message)
}

async function openEmbedded({ dataDir, diskBytesMin = 0, log }: Place): Promise<OpenDatabase> {
  const lock = lockFolder(dataDir)
  try {
    const reserve = openDiskReserve(dataDir)
    const folder = path.join(dataDir, 'database')
    if (!reserve.isHeld()) expectRoomToStart(dataDir)
    const opened = overPglite(await openFolder(folder, new Date(), reserve), log)
    // Not earlier: the watch writes its reserve into the folder, and a refused folder must stay unchanged.
    const disk = watchDisk({ folder: dataDir, bytesMin: diskBytesMin, reserve, log })
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

/** The pool must never drop its only client: PGlite's session, with any open transaction, would live on. */
export function overPglite(pglite: PGlite, log: Log): OpenDatabase {
  const pool = new pg.Pool(
    Object.assign(createPgConfig(pglite), {
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECTION_WAIT_MS,
      types,
    }),
  )
  pool.on('connect', prepareRepeated)
  const turns = openTurns(pool, { connections: 1, waitMsMax: CONNECTION_WAIT_MS })
  const opened = overPool(pool, turns, log)
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
    // Lets the system notice a server that vanished silently, for example behind a proxy.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  })
  const turns = openTurns(pool, { connections: CONNECTIONS_MAX, waitMsMax: SERVER_WAIT_MS })
  const watch = watchSilence(pool, url, log)
  const opened = overPool(pool, turns, log)
  const close = async () => {
    await opened.db.destroy()
    watch.stop()
  }
  return { ...opened, source: { kind: 'server', url }, close }
}

/** Per process, plus one connection that listens (jobs/signals); deploy/compose.yaml relies on this number. */
const CONNECTIONS_MAX = 10

/** If no connection is available for this long, the server counts as unavailable. */
const SERVER_WAIT_MS = 4000

/** Longer than any legitimate wait: a process that waits for itself gets an error here instead of waiting forever. */
const CONNECTION_WAIT_MS = 20_000

const KEEP_ALIVE_MS = 10_000

function overPool(
  pool: pg.Pool,
  turns: Connections,
  log: Log,
): Pick<OpenDatabase, 'db' | 'pool' | 'room'> {
  // A connection may break while idle or in use. Without a listener the error would end the process; the statement
  // in use reports it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'lost a database connection'))
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: turns }) })
  return { db, pool: turns, room: otherDisk }
}

const { INT8, NUMERIC } = pg.types.builtins
const toNumber = (text: string) => Number(text)

/** Counts and credits arrive as numbers; they stay far below 2^53. */
const parsers = new Map<number, (text: string) => unknown>([
  [INT8, toNumber],
  [NUMERIC, toNumber],
])

/** The driver reads arrays character by character; long columns are read several times faster. */
const arrays: [type: number, parse: (text: string) => unknown][] = [
  // Booleans, two kinds of integers, text.
  [1000, (text) => text === 't'],
  [1005, toNumber],
  [1007, toNumber],
  [1009, (text) => text],
]
for (const [type, parse] of arrays) parsers.set(type, arrayParser(type, parse))

function arrayParser(type: number, parse: (text: string) => unknown) {
  const parseAny = pg.types.getTypeParser(type)
  return (text: string) => {
    if (text.includes('"') || !/^\{[^{}]/.test(text)) return parseAny(text)
    const items = text.slice(1, -1).split(',')
    return items.map((item) => (item === 'NULL' ? null : parse(item)))
  }
}

export const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    (format === 'binary' ? undefined : parsers.get(id)) ?? pg.types.getTypeParser(id, format),
}
