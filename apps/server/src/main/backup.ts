/** npm run backup, npm run restore: a copy of everything that must not be lost, and the way back. */
import { resolve } from 'node:path'
import { BackupError } from '#server/platform/db/backup/backup-error.ts'
import { backUp, restore } from '#server/platform/db/backup/backup.ts'
import { FolderError } from '#server/platform/db/embedded/folder-error.ts'
import { FolderInUseError } from '#server/platform/db/embedded/folder-lock.ts'
import { openLog } from '#server/platform/log.ts'
import { ConfigError, readConfig } from './settings.ts'

const usage = 'Usage: npm run backup -- <where to>   or   npm run restore -- <where from>'

try {
  console.info(await runCommand(process.argv.slice(2)))
} catch (error) {
  const isExpected =
    error instanceof BackupError ||
    error instanceof ConfigError ||
    error instanceof FolderInUseError ||
    error instanceof FolderError
  if (!isExpected) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function runCommand([command, path, ...more]: string[]): Promise<string> {
  if (path === undefined || more.length > 0) throw new BackupError(usage)
  const place = { ...readConfig(), log: openLog('warn') }
  const where = resolve(path)
  if (command === 'backup') {
    const bytes = await backUp(place, where)
    return `${where} holds everything, as of now: ${(bytes / 1e6).toFixed(1)} MB. It is as secret as the database itself.`
  }
  if (command !== 'restore') throw new BackupError(usage)
  const { users, files, predictions } = await restore(place, where)
  return `Restored ${users} users, ${files} files and ${predictions} predictions. Start the product to go on.`
}
