/**
 * Opens the database: embedded in a folder, or on a PostgreSQL server, both behind one pool so that everything
 * else has a single code path. Migrates the tables.
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
import { up as people } from './migrations/0016-people.ts'
import { up as measurementsOutliveStructures } from './migrations/0017-measurements-outlive-structures.ts'
import { up as orders } from './migrations/0018-orders.ts'
import { up as useOfOwnValues } from './migrations/0022-use-of-own-values.ts'
import { up as shortlist } from './migrations/0030-shortlist.ts'
import { up as replicates } from './migrations/0031-replicates.ts'
import { up as measurementOrders } from './migrations/0034-measurement-orders.ts'
import { up as structureRuns } from './migrations/0035-structure-runs.ts'
import { up as askedFor } from './migrations/0036-asked-for.ts'
import { up as compoundProperties } from './migrations/0037-compound-properties.ts'
import { up as listedMolecules } from './migrations/0044-listed-molecules.ts'
import { up as scoreColumn } from './migrations/0045-score-column.ts'
import { up as invitations } from './migrations/0046-invitations.ts'
import { up as ownLigands } from './migrations/0050-own-ligands.ts'
import { up as blockVersions } from './migrations/0051-block-versions.ts'
import { up as differences } from './migrations/0052-differences.ts'
import { up as followUps } from './migrations/0053-follow-ups.ts'
import { up as pairs } from './migrations/0054-pairs.ts'
import { up as names } from './migrations/0057-names.ts'
import { moveCells } from './move-cells.ts'
import { openFolder } from './embedded/open-folder.ts'
import { prepareRepeated } from './embedded/prepare-repeated.ts'
import type { Database, Tables } from './schema.ts'
import { watchSilence } from './outages.ts'
import { OperatorError } from '#server/platform/errors.ts'

export type OpenDatabase = {
  db: Database
  pool: pg.Pool
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

/** Every migration, in order. Released names never change. */
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
  '0016-people': { up: people },
  '0017-measurements-outlive-structures': { up: measurementsOutliveStructures },
  '0018-orders': { up: orders },
  '0022-use-of-own-values': { up: useOfOwnValues },
  '0030-shortlist': { up: shortlist },
  '0031-replicates': { up: replicates },
  '0034-measurement-orders': { up: measurementOrders },
  '0035-structure-runs': { up: structureRuns },
  '0036-asked-for': { up: askedFor },
  '0037-compound-properties': { up: compoundProperties },
  '0044-listed-molecules': { up: listedMolecules },
  '0045-score-column': { up: scoreColumn },
  '0046-invitations': { up: invitations },
  '0050-own-ligands': { up: ownLigands },
  '0051-block-versions': { up: blockVersions },
  '0052-differences': { up: differences },
  '0053-follow-ups': { up: followUps },
  '0054-pairs': { up: pairs },
  '0057-names': { up: names },
}

/** Safe when several processes start at once: one migrates, the others wait. */
export async function migrate(db: Database, log: Pick<Log, 'info'> = noLog): Promise<void> {
  await refuseNewer(db)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // Numbers are assigned before the work begins, so a migration with a lower number may be released later.
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('The database could not be migrated.', { cause: error })
  await moveCells(db, log)
}

const noLog = { info: () => undefined }

/** Refuses a newer database: its tables are not what this program expects, and a migration cannot be undone. */
async function refuseNewer(db: Database): Promise<void> {
  const { rows } = await sql<{ is: boolean }>`
    select to_regclass('kysely_migration') is not null as is`.execute(db)
  if (rows[0]?.is !== true) return
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const unknown = applied.rows.find(({ name }) => migrations[name] === undefined)
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
    const folder = join(dataDir, 'database')
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
    // Lets the system notice a server that vanished silently, for example behind a proxy.
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

/** Per process, plus one connection that listens (jobs/signals); deploy/compose.yaml relies on this number. */
const CONNECTIONS_MAX = 10

/** If no connection is available for this long, the server counts as unavailable. */
const SERVER_WAIT_MS = 4000

/** Longer than any legitimate wait: a process that waits for itself gets an error here instead of waiting forever. */
const CONNECTION_WAIT_MS = 20_000

const KEEP_ALIVE_MS = 10_000

function overPool(pool: pg.Pool, log: Log): Pick<OpenDatabase, 'db' | 'pool' | 'room'> {
  // A connection may break while idle or in use. Without a listener the error would end the process; the statement
  // in use reports it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'lost a database connection'))
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, room: otherDisk }
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
