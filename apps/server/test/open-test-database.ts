/**
 * A fresh, migrated database for one test file: a copy of a template in memory or, if PKDEX_TEST_DATABASE_URL names a
 * PostgreSQL server, a separate database there. The template is created once per state of the migrations and kept in the
 * system's temporary folder.
 */
import { createHash, randomUUID } from 'node:crypto'

import { readdir, readFile, link, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { urlOfDatabase, withClient } from './query-server.ts'
import { readTestDatabaseUrl } from '#server/main/settings.ts'
import { openLog } from '#server/platform/log.ts'
import { YieldingPglite } from '#server/platform/db/embedded/durable-pglite.ts'
import { migrate, openServer, overPglite, type OpenDatabase } from '#server/platform/db/open.ts'
import { TEMPLATE_LOCK } from '#server/platform/db/transaction.ts'
import { type Engine, openEngine } from './reset-database.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'

const log = openLog('silent')

export async function openTestDatabase(): Promise<OpenDatabase> {
  const server = readTestDatabaseUrl()
  return server !== undefined ? openCopyOnServer(server) : openCopyInMemory()
}

/** Starting an engine takes half a second of processor time, so the test files of a process hand theirs on. */
const free: Engine[] = []
/** Elsewhere an open engine would keep the process from ending. */
const isShared = process.env['VITEST'] === 'true'

async function openCopyInMemory(): Promise<OpenDatabase> {
  const engine = free.pop() ?? (await startEngine())
  const database = overPglite(engine.pglite, log)
  let closing: Promise<void> | undefined
  const handOn = async () => {
    await database.db.destroy()
    if (isShared && (await engine.reset().catch(() => false))) free.push(engine)
    else await engine.pglite.close()
  }
  return { ...database, close: () => (closing ??= handOn()) }
}

/** The tables of a new product, without rows. */
export async function templateFile(): Promise<string> {
  const template = join(tmpdir(), `pkdex-test-${await templateId()}.tar`)
  if (!(await exists(template))) await makeTemplate(template)
  return template
}

async function startEngine(): Promise<Engine> {
  const loadDataDir = new Blob([await readFile(await templateFile())])
  const pglite = new YieldingPglite({ loadDataDir })
  await pglite.waitReady
  return openEngine(pglite)
}

/**
 * Several test processes may create it at once: each writes its own file, and the first one is kept because others
 * may be reading it.
 */
async function makeTemplate(path: string): Promise<void> {
  const pglite = await PGlite.create()
  const database = overPglite(pglite, log)
  await prepare(database)
  // Two thirds of the files; without them a copy opens in two thirds of the time.
  await pglite.exec('update pg_database set datistemplate = false')
  for (const unused of ['template0', 'template1']) await pglite.exec(`drop database ${unused}`)
  const partial = `${path}.${randomUUID()}`
  await writeFile(partial, (await pglite.dumpDataDir('none')).stream())
  await database.close()
  await link(partial, path).catch(async (error: unknown) => {
    if (!(await exists(path))) throw error
  })
  await rm(partial)
}

async function openCopyOnServer(server: string): Promise<OpenDatabase> {
  const template = `pkdex_test_${await templateId()}`
  const name = `pkdex_test_${randomUUID().replaceAll('-', '')}`
  await withClient(server, async (client) => {
    // Only one process may create the template; copies wait for it.
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    await makeTemplateOnServer(client, server, template)
    await client.query(`create database ${name} template ${template}`)
  })
  const database = openServer(urlOfDatabase(server, name), log)
  return {
    ...database,
    close: async () => {
      await database.close()
      await withClient(server, (client) => client.query(`drop database ${name} with (force)`))
    },
  }
}

async function makeTemplateOnServer(
  client: pg.Client,
  server: string,
  template: string,
): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
  if (rowCount) return
  const partial = `${template}_partial`
  await client.query(`drop database if exists ${partial}`)
  await client.query(`create database ${partial}`)
  const database = openServer(urlOfDatabase(server, partial), log)
  await prepare(database)
  await database.close()
  await client.query(`alter database ${partial} rename to ${template}`)
}

async function prepare(database: OpenDatabase): Promise<void> {
  await migrate(database.db)
  await closeQueue(await openQueue(database, log))
}

/** A hash that changes with the migrations and with the packages that create tables. */
async function templateId(): Promise<string> {
  const hash = createHash('sha256')
  const folder = new URL('../src/platform/db/migrations/', import.meta.url)
  for (const file of (await readdir(folder)).toSorted()) {
    hash.update(await readFile(new URL(file, folder)))
  }
  const { version: queueVersion } = createRequire(import.meta.url)('pg-boss/package.json')
  return hash
    .update(`pg-boss ${queueVersion}, PGlite 0.5.16, without templates`)
    .digest('hex')
    .slice(0, 16)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
