/** npm run admin: makes and changes administrators from the console, while no server uses an embedded database. */
import { makePassword } from '#server/auth/admin/administrators.ts'
import { runCommand } from '#server/auth/admin/console.ts'
import { ConfigError, readConfig } from './settings.ts'
import { FolderError } from '#server/platform/db/embedded/folder-error.ts'
import { FolderInUseError } from '#server/platform/db/embedded/folder-lock.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { AppError } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'

try {
  const config = readConfig()
  const database = await openDatabase({ ...config, databaseWaitMs: 0, log: openLog('warn') })
  try {
    const dependencies = { db: database.db, now: new Date(), makePassword }
    console.info(await runCommand(process.argv.slice(2), dependencies))
  } finally {
    await database.close()
  }
} catch (error) {
  const isExpected =
    error instanceof AppError ||
    error instanceof ConfigError ||
    error instanceof FolderInUseError ||
    error instanceof FolderError
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = 1
}
