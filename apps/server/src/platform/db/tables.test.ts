/** `tables.ts` is written from the migrated database: `npm run table-types`. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#test/open-test-database.ts'
import type { Database } from './schema.ts'
import { comments, types } from './table-notes.ts'

test('the types of tables are those of the migrated database', async () => {
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  await expect(await writeTables(database.db)).toMatchFileSnapshot('tables.ts')
})

type Column = {
  table: string
  name: string
  type: string
  is_null: boolean
  has_default: boolean
  is_computed: boolean
  /** Of an enumeration. */
  labels: string[] | null
  /** Constraints on this column alone. */
  checks: string[]
}

const columns = sql<Column>`select relname as table, attname as name, typname as type, not attnotnull as is_null,
    atthasdef or attidentity <> '' as has_default,
    relkind = 'v' or attidentity = 'a' or attgenerated <> '' as is_computed,
    (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = atttypid) as labels,
    array(select pg_get_constraintdef(oid) from pg_constraint
      where contype = 'c' and conrelid = attrelid and conkey = array[attnum]) as checks
  from pg_attribute join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
  where relkind in ('r', 'v') and relnamespace = current_schema()::regnamespace and attnum > 0
    and not attisdropped and relname not like 'kysely\_%'
  order by relname collate "C", attnum`

async function writeTables(db: Database): Promise<string> {
  const { rows } = await columns.execute(db)
  const tables = Map.groupBy(rows, ({ table }) => table)
  const names = new Set([...tables.keys(), ...rows.map(({ table, name }) => `${table}.${name}`)])
  const unknown = [...Object.keys(types), ...Object.keys(comments)].filter((key) => !names.has(key))
  expect(unknown, 'notes on tables or columns that do not exist').toEqual([])
  const bodies = [...tables].map(([table, all]) => {
    const lines = all.map((column) => {
      const { name } = column
      return `${commentOn(`${table}.${name}`, 4)}    ${name}: ${typeOf(column)}\n`
    })
    return `${commentOn(table, 2)}  ${table}: {\n${lines.join('')}  }\n`
  })
  return `${head}export type Tables = {\n${bodies.join('')}}\n`
}

const head = `/* oxlint-disable max-lines */
/** Written by \`npm run table-types\` from the migrated database and table-notes.ts: do not edit. */
import type { CompoundReport, OwnAlert, PredictionResult, TargetReport } from '@pkdex/contract'
import type { ColumnType, Generated } from 'kysely'

/** Computed by the database. */
type Computed<T> = ColumnType<T, never, never>
/** Written as text. */
type Json<T> = ColumnType<T, string, string>
type GeneratedJson<T> = ColumnType<T, string | undefined, string>

`

function commentOn(key: string, indent: number): string {
  const comment = comments[key]
  return comment === undefined ? '' : `${' '.repeat(indent)}/** ${comment} */\n`
}

function typeOf(column: Column): string {
  const { table, name, type, is_null, is_computed, has_default } = column
  const given = types[`${table}.${name}`]
  const single = given ?? unionOf(column) ?? byType.get(type)
  if (single === undefined) throw new Error(`table-notes.ts has no type for ${table}.${name}`)
  // Whether a column of a view may be null is not known to the database.
  if (is_computed) return `Computed<${single}${is_null && !given ? ' | null' : ''}>`
  const wrapper = (has_default ? 'Generated' : '') + (type === 'jsonb' ? 'Json' : '')
  const whole = wrapper === '' ? single : `${wrapper}<${single}>`
  return is_null ? `${whole} | null` : whole
}

/** As the driver reads them; see `parsers` in open.ts. */
const byType = new Map([
  ['_float4', 'number[]'],
  ['bool', 'boolean'],
  ['bytea', 'Buffer'],
  ['date', 'string'],
  ['float4', 'number'],
  ['float8', 'number'],
  ['int2', 'number'],
  ['int4', 'number'],
  ['int8', 'number'],
  ['numeric', 'number'],
  ['text', 'string'],
  ['timestamptz', 'Date'],
  ['uuid', 'string'],
])

/** A text with a list of values, by its type or by a constraint. */
function unionOf({ labels, checks }: Column): string | undefined {
  const [, list] = /= ANY \(ARRAY\[(.*)\]\)/.exec(checks.join('')) ?? []
  const values = labels ?? list?.split(', ').map((value) => value.slice(1, value.indexOf("'", 1)))
  return values?.map((value) => `'${value}'`).join(' | ')
}
