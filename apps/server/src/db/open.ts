/**
 * Opens the database: embedded in a folder, or on a PostgreSQL server. Both stand behind one pool,
 * so that everything else has a single code path. The tables are up to date afterwards.
 */
import { join } from 'node:path'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#server/http/log.ts'
import { lockFolder } from './folder-lock.ts'
import { checkpoint, startHousekeeping } from './housekeeping.ts'
import { migrate } from './migrate.ts'
import { openFolder } from './open-folder.ts'
import type { Database, Tables } from './schema.ts'

export type OpenDatabase = {
  db: Database
  pool: pg.Pool
  /** What the queue needs to hear of new jobs: the embedded database itself, or the server's address. */
  source: { kind: 'embedded'; pglite: PGlite } | { kind: 'server'; url: string }
  close(): Promise<void>
}

type Place = { databaseUrl: string | undefined; dataDir: string; log: Log }

export async function openDatabase({ databaseUrl, dataDir, log }: Place): Promise<OpenDatabase> {
  const opened =
    databaseUrl === undefined ? await openEmbedded(dataDir, log) : openServer(databaseUrl, log)
  try {
    await migrate(opened.db)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function openEmbedded(dataDir: string, log: Log): Promise<OpenDatabase> {
  const lock = lockFolder(dataDir)
  try {
    const opened = overPglite(await openFolder(join(dataDir, 'database'), new Date()), log)
    const housekeeping = startHousekeeping(opened.db, log)
    return {
      ...opened,
      close: async () => {
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
    max: 10,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    types,
  })
  const opened = overPool(pool, log)
  return { ...opened, source: { kind: 'server', url }, close: () => opened.db.destroy() }
}

/** Longer than any honest wait; a wait for oneself ends here with an error instead of never. */
const CONNECTION_WAIT_MS = 20_000

function overPool(pool: pg.Pool, log: Log): { db: Database; pool: pg.Pool } {
  // A connection that breaks while idle would otherwise end the process.
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'lost a database connection'))
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool }
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
