/** Makes and restores backups of the configured database, for `npm run backup` and `npm run restore`. */
import { lockFolder } from '#server/platform/db/embedded/folder-lock.ts'
import { countContents, type Contents, expectDatabase } from '#server/platform/db/contents.ts'
import { openDatabase, openServer } from '#server/platform/db/open.ts'
import type { Log } from '#server/platform/log.ts'
import { askForBackup, type Saved } from './backup-requests.ts'
import { backUpFolder, restoreFolder } from './copy-folder.ts'
import { dumpServer, restoreServer } from './dump-server.ts'

export type Place = { databaseUrl: string | undefined; dataDir: string; log: Log }

/** A running server continues to work. Fails if there is no database. */
export async function backUp(place: Place, target: string): Promise<Saved> {
  const { databaseUrl, dataDir, log } = place
  await expectDatabase(place)
  if (databaseUrl !== undefined) {
    const server = openServer(databaseUrl, log)
    try {
      const contents = await countContents(server.db)
      return { bytes: await dumpServer(databaseUrl, target), ...contents }
    } finally {
      await server.close()
    }
  }
  const saved = await askForBackup(dataDir, target)
  if (saved !== null) return saved
  const database = await openDatabase(place)
  try {
    return await backUpFolder(database, { dataDir, target })
  } finally {
    await database.close()
  }
}

/** Restores into an empty place only, migrates the tables, and returns what the database contains. */
export async function restore(place: Place, backup: string): Promise<Contents> {
  const { databaseUrl, dataDir } = place
  if (databaseUrl !== undefined) await restoreServer(backup, databaseUrl)
  else {
    const lock = lockFolder(dataDir)
    await restoreFolder(backup, dataDir).finally(() => lock.release())
  }
  const database = await openDatabase(place)
  try {
    return await countContents(database.db)
  } finally {
    await database.close()
  }
}
