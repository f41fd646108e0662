import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from './open-test-database.ts'
import { openTestSession } from './factories.ts'

async function readAll(database: Awaited<ReturnType<typeof openTestDatabase>>) {
  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname = 'public' order by 1`.execute(database.db)
  const all: Record<string, unknown> = {}
  for (const { name } of tables) {
    all[name] = (await sql`select * from ${sql.table(name)}`.execute(database.db)).rows
  }
  return all
}

const isEmbedded = !process.env['PKDEX_TEST_DATABASE_URL']

test.runIf(isEmbedded)(
  'a test file finds the rows, numbers and settings of a new database',
  async () => {
    const first = await openTestDatabase()
    const before = await readAll(first)
    await sql`set work_mem = '1MB'`.execute(first.db)
    const { userId } = await openTestSession(first.db)
    await sql`select setval(pg_get_serial_sequence('sequences', 'id'), 77)`.execute(first.db)
    await sql`delete from kysely_migration`.execute(first.db)
    await first.close()

    const second = await openTestDatabase()
    expect(await readAll(second)).toEqual(before)
    const { rows } = await sql<{ work_mem: string }>`show work_mem`.execute(second.db)
    expect(rows[0]?.work_mem).not.toBe('1MB')
    const next = await sql<{ next: number }>`
      select nextval(pg_get_serial_sequence('sequences', 'id'))::int as next`.execute(second.db)
    expect(next.rows[0]?.next).toBe(1)
    expect(userId).not.toBe('')
    await second.close()
  },
)

test.runIf(isEmbedded)('a changed table is not handed on', async () => {
  const first = await openTestDatabase()
  await sql`alter table users add column other text`.execute(first.db)
  await first.close()
  const second = await openTestDatabase()
  await expect(sql`select other from users`.execute(second.db)).rejects.toThrow('other')
  await second.close()
})
