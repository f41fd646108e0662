import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'

const database = await openTestDatabase()
afterAll(() => database.close())

test('arrays are read as they were written: empty, with nulls, with quotes and nested', async () => {
  const arrays = {
    none: [],
    integers: [1, -2, null, 2_147_483_647],
    flags: [true, false, null],
    texts: ['a', 'b,c', '', 'NULL', '"quoted"', '{braces}', null],
    plain: ['a', 'b', null],
    nested: [
      [1, 2],
      [3, 4],
    ],
  }
  const { none, integers, flags, texts, plain, nested } = arrays
  const { rows } = await sql`select ${none}::int[] as none, ${integers}::int[] as integers,
    ${flags}::boolean[] as flags, ${texts}::text[] as texts, ${plain}::text[] as plain,
    ${nested}::int[] as nested`.execute(database.db)
  expect(rows).toEqual([arrays])
})
