/** Checks that a pKdex database exists and counts its contents, for commands that must never create one. */
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { openDiskReserve } from './embedded/disk-reserve.ts'
import { lockFolder } from './embedded/folder-lock.ts'
import { expectNoData, isMade, openFolder } from './embedded/open-folder.ts'
import { type OpenDatabase, openServer, overPglite, refuseNewer } from './open.ts'
import type { Database } from './schema.ts'
import type { Log } from '#server/platform/log.ts'
import { OperatorError } from '#server/platform/errors.ts'

export type Contents = { users: number; files: number; pairs: number }

/** Only reads: creates and migrates nothing. */
export async function expectDatabase(place: {
  databaseUrl: string | undefined
  dataDir: string
  log: Log
}): Promise<void> {
  const { databaseUrl, dataDir, log } = place
  if (databaseUrl === undefined) {
    if (isMade(join(dataDir, 'database'))) return
    const message = `DATA_DIR ${dataDir} contains no pKdex database. Set DATA_DIR to the folder that pKdex uses.`
    throw new OperatorError(message)
  }
  const server = openServer(databaseUrl, log)
  try {
    if (await hasTable(server.db, 'users')) return
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `Cannot use the PostgreSQL server in DATABASE_URL: ${reason}`
    throw new OperatorError(message, { cause: error, mayPass: true })
  } finally {
    await server.close()
  }
  const message =
    'The database in DATABASE_URL contains no pKdex tables. Set DATABASE_URL to the one that pKdex uses.'
  throw new OperatorError(message)
}

/**
 * Whether there is a database that this program can use, and how far its clock is ahead. Throws if it cannot be used.
 * Only reads: creates and migrates nothing.
 */
export async function examineDatabase(place: {
  databaseUrl: string | undefined
  dataDir: string
  log: Log
}): Promise<{ isThere: boolean; aheadMs: number }> {
  const { databaseUrl, dataDir, log } = place
  if (databaseUrl !== undefined) return examineOpened(openServer(databaseUrl, log))
  const folder = join(dataDir, 'database')
  if (!isMade(folder)) {
    expectNoData(folder)
    return { isThere: false, aheadMs: 0 }
  }
  const lock = lockFolder(dataDir)
  try {
    const pglite = await openFolder(folder, new Date(), openDiskReserve(dataDir))
    return await examineOpened(overPglite(pglite, log))
  } finally {
    lock.release()
  }
}

async function examineOpened(
  database: OpenDatabase,
): Promise<{ isThere: boolean; aheadMs: number }> {
  try {
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.db)
    const aheadMs = (rows[0]?.now.getTime() ?? Date.now()) - Date.now()
    await refuseNewer(database.db)
    return { isThere: await hasTable(database.db, 'users'), aheadMs }
  } finally {
    await database.close()
  }
}

/** Counts pairs with a prediction, from single predictions, screens and scripts. */
export async function countContents(db: Database): Promise<Contents> {
  // A PostgreSQL database that an older version uses is counted as it is.
  const inOrders = sql<number>`(select coalesce(sum(done - failed), 0) from orders where kind <> 'measurement')`
  const pairs = (await hasTable(db, 'orders')) ? inOrders : await countOldPairs(db)
  const { rows } = await sql<Contents>`
    select (select count(*) from users) as users, (select count(*) from files) as files,
      ${pairs} as pairs`.execute(db)
  return rows[0] ?? { users: 0, files: 0, pairs: 0 }
}

/** Counts pairs in a database of a version that stored single predictions and screens separately. */
async function countOldPairs(db: Database): Promise<RawBuilder<number>> {
  const inScreens = (await hasTable(db, 'screens'))
    ? sql`(select coalesce(sum(done), 0) from screens)`
    : sql`0`
  return sql<number>`(select count(*) from tasks where status = 'SUCCESS') + ${inScreens}`
}

async function hasTable(db: Database, name: string): Promise<boolean> {
  const found = await sql<{ is: boolean }>`select to_regclass(${name}) is not null as is`.execute(
    db,
  )
  return found.rows[0]?.is ?? false
}
