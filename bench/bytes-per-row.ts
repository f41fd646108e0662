/**
 * Bytes that a user, a key, a compound, a structure and a prediction use in the database, indexes included: the figures
 * of docs/scale.md. The product creates each once; it is then copied 20,000 times, with its own ids, names and hashes.
 * Run: npm run bytes-per-row
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
/* oxlint-disable no-restricted-imports -- the tables of the product are measured where they are */
import { openDatabase } from '../apps/server/src/platform/db/open.ts'
import type { Database } from '../apps/server/src/platform/db/schema.ts'
import { openLog } from '../apps/server/src/platform/log.ts'
/* oxlint-enable no-restricted-imports */
import { signIn } from '../e2e/api-user.ts'
import { startProduct } from '../e2e/start-product.ts'

const ROWS = 20_000
/** Compressed structures are large, and all the same size here. */
const STRUCTURES = 500

type Copy = { table: string; own: Record<string, string>; where?: string }

const hash = (text: string) => `sha256((${text} || n)::bytea)`
const orderNumber = `(select number from orders where id = md5('order' || n)::uuid)`
const id = (text: string) => `md5('${text}' || n)::uuid`

const kinds: { name: string; rows: number; copies: Copy[] }[] = [
  {
    name: 'user',
    rows: ROWS,
    copies: [
      {
        table: 'users',
        own: { id: id('user'), google_id: 'n', email: 'n || email' },
      },
      {
        table: 'identities',
        own: { id: id('identity'), user_id: id('user'), subject: 'n', email: 'n || email' },
      },
    ],
  },
  {
    name: 'session or key',
    rows: ROWS,
    copies: [{ table: 'keys', own: { id: id('key'), hash: hash(`'key'`) } }],
  },
  {
    name: 'compound',
    rows: ROWS,
    copies: [
      {
        table: 'compounds',
        own: { id: id('compound'), name: 'name || n', content_hash: hash(`'c'`) },
      },
      { table: 'compound_features', own: { compound_id: id('compound') } },
    ],
  },
  {
    name: 'structure (1HPV, 150 kB)',
    rows: STRUCTURES,
    copies: [
      {
        table: 'files',
        own: { id: id('file'), sha256: hash(`'file'`), filename: 'n || filename' },
        where: `file_type = 'protein_pdb'`,
      },
      {
        table: 'targets',
        own: {
          id: id('target'),
          file_id: id('file'),
          name: 'name || n',
          content_hash: hash(`'t'`),
        },
      },
    ],
  },
  {
    name: 'prediction and its ledger entry',
    rows: ROWS,
    copies: [
      { table: 'orders', own: { id: id('order') }, where: `kind = 'single'` },
      { table: 'order_targets', own: { order_id: id('order') } },
      { table: 'blocks', own: { order_id: id('order'), job_id: id('job'), turn: 'n' } },
      { table: 'order_rows', own: { order_number: orderNumber } },
      {
        table: 'pairs',
        own: {
          order_number: orderNumber,
          compound_key: `substr(${hash(`'r'`)}, 1, octet_length(compound_key))`,
        },
      },
      {
        table: 'readings',
        own: { compound_key: `substr(${hash(`'r'`)}, 1, octet_length(compound_key))` },
      },
      { table: 'ledger', own: { task_id: id('order') }, where: `reason = 'prediction'` },
    ],
  },
]

const folder = await mkdtemp(join(tmpdir(), 'pkdex-bytes-'))
try {
  await makeOneOfEach(folder)
  const log = openLog('silent')
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder, log })
  for (const { name, rows, copies } of kinds) {
    const before = await sizeOf(database.db, copies)
    for (const copy of copies) await copyRows(database.db, copy, rows)
    const bytes = ((await sizeOf(database.db, copies)) - before) / rows
    console.log(`${name}: ${Math.round(bytes).toLocaleString('en')} bytes`)
  }
  await database.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function makeOneOfEach(dataDir: string): Promise<void> {
  const product = await startProduct({ DATA_DIR: dataDir, LOG_LEVEL: 'fatal' })
  try {
    await askForOneOfEach(product.url)
  } finally {
    await product.stop()
  }
}

async function askForOneOfEach(url: string): Promise<void> {
  const user = await signIn(url, 'ada@lab.example')
  const content = await readFile(new URL('../samples/1hpv.pdb', import.meta.url))
  await user.upload({ name: '1hpv.pdb', type: 'protein_pdb', content })
  const drugs = await readFile(new URL('../samples/compounds.txt', import.meta.url), 'utf8')
  const drug = drugs.split('\n').find((line) => /^[^#\s]/.test(line)) ?? ''
  await user.upload({ name: 'drug.txt', type: 'drug_smiles', content: drug })
  const [, name = ''] = drug.trim().split(/\s+/)
  const answer = await user.post('/dta/predict', { protein_id: '1hpv', compound_id: name })
  if (!answer.ok) throw new Error(await answer.text())
  const { task_id: task } = Object(await answer.json())
  for (let status = task === undefined ? 'SUCCESS' : 'PENDING'; status !== 'SUCCESS';) {
    if (status === 'FAILURE') throw new Error('The pair could not be predicted.')
    await sleep(200)
    status = Object(await (await user.get(`/dta/predict/${task}`)).json()).status
  }
}

async function sizeOf(db: Database, copies: Copy[]): Promise<number> {
  const tables = copies.map(({ table }) => table)
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(name::regclass)) as bytes
    from unnest(${tables}::text[]) as name`.execute(db)
  return Number(rows[0]?.bytes)
}

async function copyRows(db: Database, { table, own, where = 'true' }: Copy, count: number) {
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}
      and is_generated = 'NEVER' and is_identity = 'NO'`.execute(db)
  const names = columns.map(({ name }) => name)
  const values = names.map((name) => own[name] ?? name)
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.raw(names.join(', '))})
    select ${sql.raw(values.join(', '))}
    from (select * from ${sql.table(table)} where ${sql.raw(where)} limit 1) as one,
      generate_series(1, ${sql.lit(count)}) as n`.execute(db)
  if (Number(numAffectedRows) !== count) throw new Error(`There is no row of ${table} to copy.`)
}
