/**
 * Backups of a PostgreSQL database with PostgreSQL's own programs: one consistent snapshot, without stopping
 * others.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expectNothingAt } from './copy-folder.ts'
import { OperatorError } from '#server/platform/errors.ts'

/** Returns the number of bytes written. */
export async function dumpServer(url: string, target: string): Promise<number> {
  await expectNothingAt(target)
  await run('pg_dump', ['--format=custom', '--no-owner', '--file', target], url)
  return (await stat(target)).size
}

/** Restores into a database without tables, all or nothing. */
export async function restoreServer(dump: string, url: string): Promise<void> {
  await expectEmpty(url)
  const options = ['--exit-on-error', '--single-transaction', '--no-owner']
  await run('pg_restore', [...options, '--dbname', nameOf(url), dump], url)
}

async function expectEmpty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select from pg_tables where schemaname in ('public', 'pgboss') limit 1`,
    )
    if (rows.length === 0) return
    throw new OperatorError(
      'The database in DATABASE_URL is not empty. Create an empty one and set DATABASE_URL to it. Nothing was changed.',
    )
  } finally {
    await client.end()
  }
}

async function run(program: string, args: string[], url: string): Promise<void> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...addressOf(url) },
  })
  const complaint = text(child.stderr)
  const [code] = await once(child, 'close').catch((error: unknown) => {
    throw new OperatorError(
      `${program} could not be started. Install the PostgreSQL client tools, the same version as the server or newer.`,
      { cause: error },
    )
  })
  if (code !== 0) throw new OperatorError(`${program} failed: ${(await complaint).trim()}`)
}

/** Passed in the environment, because any user of the machine can read a program's arguments. */
function addressOf(url: string): Record<string, string> {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const sslMode = searchParams.get('sslmode')
  return {
    PGHOST: hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: nameOf(url),
    ...(sslMode === null ? {} : { PGSSLMODE: sslMode }),
  }
}

function nameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1))
}
