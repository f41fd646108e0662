import { PGlite } from '@electric-sql/pglite'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenDatabase, overPglite } from '../open.ts'

const silent = { warn: () => undefined, error: () => undefined } as never

const pglite = new PGlite()
let opened: OpenDatabase

beforeEach(async () => {
  opened = overPglite(pglite, silent)
  await sql`create table compounds_of_test (id int primary key, name text)`.execute(opened.db)
})

afterEach(async () => {
  await sql`drop table compounds_of_test; deallocate all`.execute(opened.db)
  await opened.db.destroy()
})
afterAll(() => pglite.close())

const ask = (text: string, values: unknown[]) =>
  opened.db.executeQuery(CompiledQuery.raw(text, values))
const findOne = 'select name from compounds_of_test where id = $1'

/** Runs the query through Kysely, as the product does. */
async function find(id: number) {
  const { rows } = await sql<{ name: string }>`select name from compounds_of_test
    where id = ${id}`.execute(opened.db)
  return rows
}

async function prepared(): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements
    order by prepare_time`.execute(opened.db)
  return rows.map(({ statement }) => statement)
}

async function insert(from: number, to: number) {
  await sql`insert into compounds_of_test
    select id, 'compound ' || id from generate_series(${from}::int, ${to}::int) id`.execute(
    opened.db,
  )
}

test('a statement is prepared from its second use on, with the same result', async () => {
  await insert(1, 3)
  expect(await find(2)).toEqual([{ name: 'compound 2' }])
  expect(await prepared()).toEqual([])
  expect(await find(3)).toEqual([{ name: 'compound 3' }])
  expect(await find(1)).toEqual([{ name: 'compound 1' }])
  expect(await prepared()).toEqual([expect.stringContaining('select name from')])
})

test('a plan made for an empty table is dropped once the table has grown', async () => {
  await sql`vacuum analyze compounds_of_test`.execute(opened.db)
  for (let round = 0; round < 20; round++) await find(round)
  expect(await planOfFind()).toContain('Seq Scan')
  await insert(1, 20_000)
  expect(await find(7)).toEqual([{ name: 'compound 7' }])
  expect(await planOfFind()).toContain('Index')
})

test('a new plan is made in the transaction in which the table grew', async () => {
  await sql`vacuum analyze compounds_of_test`.execute(opened.db)
  for (let round = 0; round < 20; round++) await find(round)
  await opened.db.transaction().execute(async (trx) => {
    await sql`insert into compounds_of_test
      select id, 'compound' from generate_series(${1}::int, ${20_000}::int) id`.execute(trx)
    await sql`select name from compounds_of_test where id = ${7}`.execute(trx)
  })
  expect(await planOfFind()).toContain('Index')
})

test('a statement with a long list is planned for its length every time', async () => {
  await insert(1, 100)
  const findAll = 'select name from compounds_of_test where id = any($1)'
  const ids = Array.from({ length: 100 }, (_, at) => at + 1)
  for (let round = 0; round < 7; round += 1) {
    const { rows } = await ask(findAll, [ids])
    expect(rows).toHaveLength(100)
  }
  expect(await prepared()).toEqual([])
  for (let round = 0; round < 2; round += 1) await ask(findAll, [[1, 2]])
  expect(await prepared()).toEqual([findAll])
})

test('at most 300 statements are prepared, however many different ones are used', async () => {
  for (let at = 0; at < 320; at++) {
    const text = `select name from compounds_of_test where id = $1 and ${at} = ${at}`
    for (let round = 0; round < 3; round++) await ask(text, [at])
  }
  expect(await prepared()).toHaveLength(300)
  expect(await find(1)).toEqual([])
})

test('a long list of rows is not prepared', async () => {
  const places = Array.from({ length: 500 }, (_, at) => `($${at + 1}::int)`).join(', ')
  const text = `select count(*) from (values ${places}) as one(id)`
  const values = Array.from({ length: 500 }, (_, at) => at)
  for (let round = 0; round < 3; round++) await ask(text, values)
  expect(await prepared()).toEqual([])
})

test('a prepared statement that fails can be used again', async () => {
  const text = 'insert into compounds_of_test (id, name) values ($1, $2)'
  for (let round = 0; round < 3; round++) await ask(text, [round, 'new'])
  await expect(ask(text, [1, 'twice'])).rejects.toThrow('duplicate key')
  await expect(
    opened.db.transaction().execute(async (trx) => {
      await insertTwice(trx)
    }),
  ).rejects.toThrow('duplicate key')
  await ask(text, [9, 'nine'])
  expect((await ask(findOne, [9])).rows).toEqual([{ name: 'nine' }])
})

test('a prepared statement still works after a column was added to its table', async () => {
  const all = 'select * from compounds_of_test where id = $1'
  await insert(1, 3)
  for (let round = 0; round < 8; round++) await ask(all, [1])
  await sql`alter table compounds_of_test add column smiles text`.execute(opened.db)
  expect((await ask(all, [1])).rows).toEqual([{ id: 1, name: 'compound 1', smiles: null }])
})

async function insertTwice(trx: OpenDatabase['db']) {
  const id = 1
  await sql`insert into compounds_of_test (id, name) values (${id}, ${'twice'})`.execute(trx)
}

/** The plan that is stored, or would be made, for the prepared statement of `find`. */
async function planOfFind(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
    where statement like 'select name from compounds_of_test%'`.execute(opened.db)
  const explained = await sql<Record<string, string>>`explain execute ${sql.id(
    rows[0]?.name ?? '',
  )}(7)`.execute(opened.db)
  return explained.rows.flatMap((row) => Object.values(row)).join('\n')
}
