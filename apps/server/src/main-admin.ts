/** npm run admin: makes and changes administrators from the console, while no server uses an embedded database. */
import { randomBytes } from 'node:crypto'
import { runCommand } from './admin-auth/console.ts'
import { ConfigError, readConfig } from './config.ts'
import { FolderInUseError } from './db/folder-lock.ts'
import { openDatabase } from './db/open.ts'
import { AppError } from './http/app-error.ts'
import { openLog } from './http/log.ts'

try {
  const config = readConfig()
  const database = await openDatabase({ ...config, log: openLog('warn') })
  const makePassword = () => randomBytes(15).toString('base64url')
  try {
    const parts = { db: database.db, now: new Date(), makePassword }
    console.info(await runCommand(process.argv.slice(2), parts))
  } finally {
    await database.close()
  }
} catch (error) {
  const isExpected =
    error instanceof AppError || error instanceof ConfigError || error instanceof FolderInUseError
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = 1
}
