/** Reads the database of a product that has stopped, or one on a server. */
import { openDatabase } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openLog } from '#server/platform/log.ts'

type Place = { databaseUrl: string | undefined; dataDir: string }

/** Opened only for this: an embedded database belongs to one process at a time. */
export function inDatabaseOf(place: Place) {
  return async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const opened = await openDatabase({ ...place, log: openLog('silent') })
    try {
      return await work(opened.db)
    } finally {
      await opened.close()
    }
  }
}
