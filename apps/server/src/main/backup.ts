/** npm run backup, npm run restore: copies all data that must not be lost, and restores it. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp, restore } from '#server/platform/db/backup/backup.ts'
import type { Contents } from '#server/platform/db/contents.ts'
import { openLog } from '#server/platform/log.ts'
import { readConfig } from './settings.ts'
import { OperatorError } from '#server/platform/errors.ts'

const usage = `Usage: npm run backup -- <target>     copies the database to a new folder (with PostgreSQL: a new file)
       npm run restore -- <backup>    copies a backup into an empty DATA_DIR or an empty database`

try {
  console.info(await runCommand(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function runCommand(args: string[]): Promise<string> {
  const { values, positionals } = readArguments(args)
  if (values.help) return usage
  const [command, path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new OperatorError(usage)
  const place = { ...readConfig(), log: openLog('warn') }
  const where = resolve(path)
  if (command === 'backup') {
    const { bytes, ...contents } = await backUp(place, where)
    return `Backed up ${describe(contents)} to ${where} (${(bytes / 1e6).toFixed(1)} MB). Protect it like the database itself.`
  }
  if (command !== 'restore') throw new OperatorError(usage)
  return `Restored ${describe(await restore(place, where))}. You can start pKdex now.`
}

function readArguments(args: string[]) {
  try {
    const options = { help: { type: 'boolean', default: false } } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new OperatorError(usage, { cause: error })
  }
}

function describe({ users, files, pairs }: Contents): string {
  const count = (number: number, one: string) =>
    `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`
  return `${count(users, 'user')}, ${count(files, 'file')} and ${count(pairs, 'predicted pair')}`
}
