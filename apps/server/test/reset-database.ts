/** Empties an embedded database, so that the next test file finds it as the migrations left it. */
import type { PGlite } from '@electric-sql/pglite'

export type Engine = {
  pglite: PGlite
  /** False if it cannot be as it was, because its tables, functions or settings have been changed. */
  reset(): Promise<boolean>
}

type Table = { name: string; rows: string }

export async function openEngine(pglite: PGlite): Promise<Engine> {
  const tables = await readTables(pglite)
  const structure = await describe(pglite)
  const full = await pglite.query<{ name: string }>(whichHaveRows(tables))
  const filled: Table[] = []
  for (const { name } of full.rows) {
    const { rows } = await pglite.query<{ rows: string }>(
      `select coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
    )
    filled.push({ name, rows: rows[0]?.rows ?? '[]' })
  }
  return { pglite, reset }

  async function reset(): Promise<boolean> {
    await pglite.exec('rollback')
    await pglite.exec('discard all')
    if ((await describe(pglite)) !== structure) return false
    const { rows } = await pglite.query<{ name: string }>(whichHaveRows(tables))
    await pglite.exec('set session_replication_role = replica')
    const names = rows.map(({ name }) => name)
    await pglite.exec(names.map((name) => `delete from ${name};`).join(''))
    for (const { name, rows: stored } of filled) {
      const insert = `insert into ${name} overriding system value
        select * from json_populate_recordset(null::${name}, $1::json)`
      await pglite.query(insert, [stored])
    }
    await pglite.exec(`set session_replication_role = origin; ${RESTART_SEQUENCES}`)
    return true
  }
}

const USER_SCHEMAS = `nspname not like 'pg\\_%' and nspname <> 'information_schema'`

async function readTables(pglite: PGlite): Promise<string[]> {
  const { rows } = await pglite.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and ${USER_SCHEMAS} order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** A digest of everything that is not rows. */
async function describe(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query<{ digest: string }>(
    `select md5(string_agg(line, ',' order by line)) as digest from (
      select row(attrelid, attname, atttypid, attnotnull, attisdropped)::text as line from pg_attribute
        join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
        where ${USER_SCHEMAS}
      union all select row(proname, prosrc)::text from pg_proc
        join pg_namespace on pg_namespace.oid = pronamespace where ${USER_SCHEMAS}
      union all select row(tgrelid, tgname, tgenabled)::text from pg_trigger
      union all select row(conrelid, conname)::text from pg_constraint
      union all select row(rolname, rolconfig)::text from pg_roles
      union all select pg_db_role_setting::text from pg_db_role_setting
    ) lines`,
  )
  return rows[0]?.digest ?? ''
}

const whichHaveRows = (tables: string[]) =>
  tables
    .map((name) => `select '${name}' as name where exists (select from ${name})`)
    .join(' union all ')

const RESTART_SEQUENCES = `do $$
  declare sequence record;
  begin
    for sequence in select format('%I.%I', schemaname, sequencename) as name, start_value
      from pg_sequences where last_value is not null
    loop
      perform setval(sequence.name::regclass, sequence.start_value, false);
    end loop;
  end $$`
