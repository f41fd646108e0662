/** npm run admin: makes and changes administrators from the console, while no server uses an embedded database. */
import { makePassword } from '#server/auth/admin/administrators.ts'
import { runCommand, usage } from '#server/auth/admin/console.ts'
import { ConfigError } from './environment.ts'
import { readConfig } from './settings.ts'
import { expectDatabase } from '#server/platform/db/contents.ts'
import { FolderError } from '#server/platform/db/embedded/folder-error.ts'
import { FolderInUseError } from '#server/platform/db/embedded/folder-lock.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { AppError } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'

try {
  const args = process.argv.slice(2)
  if (args.includes('--help')) console.info(usage)
  else await runOnDatabase(args)
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

async function runOnDatabase(args: string[]): Promise<void> {
  const place = { ...readConfig(), databaseWaitMs: 0, log: openLog('warn') }
  await expectDatabase(place)
  const database = await openDatabase(place)
  try {
    const dependencies = { db: database.db, now: new Date(), makePassword }
    console.info(await runCommand(args, dependencies))
  } finally {
    await database.close()
  }
}
