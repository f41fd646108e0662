/** npm run admin: creates and changes administrators from the console, while no server uses an embedded database. */
import { makePassword } from '#server/auth/admin/administrators.ts'
import { runCommand, usage } from '#server/auth/admin/console.ts'
import { readConfig } from './settings.ts'
import { expectDatabase } from '#server/platform/db/contents.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { AppError, OperatorError } from '#server/platform/errors.ts'
import { openLog } from '#server/platform/log.ts'

try {
  const args = process.argv.slice(2)
  if (args.includes('--help')) console.info(usage)
  else await runOnDatabase(args)
} catch (error) {
  if (!(error instanceof AppError || error instanceof OperatorError)) throw error
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
