import { expect, test } from 'vitest'
import { start } from '#test/start-main.ts'
import { readTestDatabaseUrl } from './settings.ts'

test.skipIf(readTestDatabaseUrl() === undefined)(
  'a missing database is reported in one sentence; a restart does not help (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const url = new URL(readTestDatabaseUrl() ?? '')
    url.pathname = '/there_is_none'
    const { code, said } = await start({ DATABASE_URL: url.href })
    expect(said).toBe(
      'The PostgreSQL server refuses DATABASE_URL: database "there_is_none" does not exist.\n',
    )
    expect(code).toBe(78)
  },
)
