/** Makes and restores backups, of whichever database the settings name, for `npm run backup` and `npm run restore`. */
import { lockFolder } from '#server/platform/db/embedded/folder-lock.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import type { Log } from '#server/platform/log.ts'
import { askForBackup } from './backup-requests.ts'
import { backUpFolder, restoreFolder } from './copy-folder.ts'
import { dumpServer, restoreServer } from './dump-server.ts'

export type Place = { databaseUrl: string | undefined; dataDir: string; log: Log }

/** Answers how many bytes were written. A running product goes on working. */
export async function backUp(place: Place, target: string): Promise<number> {
  const { databaseUrl, dataDir } = place
  if (databaseUrl !== undefined) return dumpServer(databaseUrl, target)
  const bytes = await askForBackup(dataDir, target)
  if (bytes !== null) return bytes
  const database = await openDatabase(place)
  try {
    return await backUpFolder(database, { dataDir, target })
  } finally {
    await database.close()
  }
}

/** Into an empty place only; the tables are up to date afterwards. Answers what is there now, for whoever looks. */
export async function restore(place: Place, backup: string): Promise<Counts> {
  const { databaseUrl, dataDir } = place
  if (databaseUrl !== undefined) await restoreServer(backup, databaseUrl)
  else {
    const lock = lockFolder(dataDir)
    await restoreFolder(backup, dataDir).finally(() => lock.release())
  }
  const database = await openDatabase(place)
  try {
    const [users, files, tasks] = await Promise.all(
      (['users', 'files', 'tasks'] as const).map(async (table) => {
        const count = database.db
          .selectFrom(table)
          .select((is) => is.fn.countAll<number>().as('count'))
        return (await count.executeTakeFirstOrThrow()).count
      }),
    )
    return { users: users ?? 0, files: files ?? 0, predictions: tasks ?? 0 }
  } finally {
    await database.close()
  }
}

export type Counts = { users: number; files: number; predictions: number }
