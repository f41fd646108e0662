/** Migrates databases of earlier versions to this one: ids, balances, ledger and predictions are kept. */
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { noSignals } from '#server/platform/jobs/signals.ts'
import { migrate, migrations, overPglite } from '#server/platform/db/open.ts'
import { plainEstimates } from '#test/plain-estimates.ts'
import { pageOfHistory } from './history.ts'
import { resultOf } from '#test/open-test-grid.ts'
import {
  addLibrary,
  hash,
  type Library,
  type OldDatabase,
  openOld,
  paidOf,
  segments,
} from '#test/open-old-database.ts'
import { compoundKey, sequenceKey } from './pair-key.ts'
import { fromStored } from './pair-number.ts'
import { openBlockQueue } from './queue.ts'
import { openSeenWaiting } from './seen-waiting.ts'
import { readTask } from './single.ts'
import { openOrderStore } from './store.ts'

const log = openLog('silent')

async function addTask(
  { db }: OldDatabase,
  { userId, targetId }: Library,
  task: { compoundId: string; status: string; predicted?: number },
): Promise<string> {
  const id = randomUUID()
  const { compoundId, status, predicted } = task
  const result = predicted === undefined ? null : JSON.stringify(resultOf(predicted))
  await sql`insert into tasks (id, user_id, target_id, compound_id, target_chain, status, result,
      model_version, credits_charged, created_at, finished_at)
    values (${id}, ${userId}, ${targetId}, ${compoundId}, 'A', ${status}, ${result}, 'test-1', 1, now(),
      ${result === null ? null : new Date()})`.execute(db)
  await sql`insert into ledger (user_id, delta, balance_after, reason, task_id, actor, created_at)
    values (${userId}, -1, 99, 'prediction', ${id}, 'user', now())`.execute(db)
  return id
}

function readLedger({ db }: OldDatabase) {
  return db
    .selectFrom('ledger')
    .select(['id', 'user_id', 'delta', 'balance_after', 'reason', 'task_id', 'actor', 'created_at'])
    .orderBy('id')
    .execute()
}

function reader({ db }: OldDatabase) {
  const dependencies = { db, best: plainEstimates }
  return (userId: string, taskId: string) => readTask(dependencies, { userId, taskId })
}

test.each(['0002-administration', '0014-last-seen', '0017-measurements-outlive-structures'])(
  'tasks of %s can still be polled, and paid predictions stay paid',
  async (last) => {
    const database = await openOld(last)
    const library = await addLibrary(database, ['CCO', 'CCC', 'CCN'])
    const [ethanol = '', propane = '', amine = ''] = library.compounds
    const done = await addTask(database, library, {
      compoundId: ethanol,
      status: 'SUCCESS',
      predicted: 6.123456,
    })
    const failed = await addTask(database, library, { compoundId: propane, status: 'FAILURE' })
    const open = await addTask(database, library, { compoundId: amine, status: 'PENDING' })
    const ledger = await readLedger(database)
    await migrate(database.db)
    const { userId } = library
    const read = reader(database)
    expect(await read(userId, done)).toMatchObject({
      status: 'SUCCESS',
      result: resultOf(6.123456),
      credits_charged: 1,
    })
    expect(await read(userId, failed)).toMatchObject({ status: 'FAILURE', credits_charged: 0 })
    expect(await read(userId, open)).toMatchObject({ status: 'PENDING', credits_charged: 1 })
    expect(await paidOf(database, userId, ['CCO', 'CCC', 'CCN', 'CCCC'])).toEqual([
      { isPaid: true, isKnown: true },
      { isPaid: false, isKnown: false },
      { isPaid: true, isKnown: false },
      { isPaid: false, isKnown: false },
    ])
    expect(await readLedger(database)).toEqual(ledger)
  },
)

test('a waiting task runs after the migration, with its existing job', async () => {
  const database = await openOld('0014-last-seen')
  const library = await addLibrary(database, ['CCO'])
  const [compoundId = ''] = library.compounds
  const taskId = await addTask(database, library, { compoundId, status: 'STARTED' })
  const boss = await openQueue(database, log)
  onTestFinished(() => closeQueue(boss))
  await boss.createQueue('predict')
  await boss.send('predict', { segments, smiles: 'CCO', reqId: 'call' }, { id: taskId })
  await migrate(database.db)
  const queue = await openBlockQueue(boss, true)
  const now = () => new Date()
  const seenWaiting = openSeenWaiting(() => performance.now())
  const store = openOrderStore({ db: database.db, queue, now, signals: noSignals, seenWaiting })
  expect(await store.failAbandoned()).toEqual([])
  const [attempt] = await queue.fetch('small', 1)
  expect(attempt?.id).toBe(taskId)
  const block = (await store.readWork([taskId])).get(taskId)
  expect(block).toMatchObject({ kind: 'single', orderId: taskId })
  expect(block?.targets[0]?.segments).toEqual(segments)
})

type OldScreen = { request: object; rows: [name: string, smiles: string][] }

/** A screen of the target in which only the first pair has a prediction. */
async function addScreen({ db }: OldDatabase, userId: string, screen: OldScreen): Promise<string> {
  const id = randomUUID()
  const { length } = screen.rows
  await sql`insert into screens (id, user_id, request_hash, status, total, done, known, compounds, paid,
      credits_per_pair, credits_charged, model_version, created_at, finished_at)
    values (${id}, ${userId}, ${hash(JSON.stringify(screen.request))}, 'DONE', ${length}, ${length}, 0,
      ${length}, ${length}, 1, ${length}, 'test-1', now(), now())`.execute(db)
  await sql`insert into screen_targets (screen_id, place, name, chain, segments, key)
    values (${id}, 0, 'T', 'A', ${JSON.stringify(segments)}, ${sequenceKey(segments)})`.execute(db)
  const cells = Buffer.alloc(9 * length)
  cells.writeInt16LE(7123, 0)
  cells.writeUInt16LE(1000, 2)
  cells.writeUInt16LE(1500, 4)
  cells[6] = 3
  cells[7] = 102
  cells[8] = 255
  const rows = gzipSync(
    JSON.stringify(screen.rows.map(([name, smiles]) => [name, smiles, smiles, null])),
  )
  const keys = screen.rows.map(([, smiles]) => compoundKey(smiles))
  await sql`insert into screen_blocks (screen_id, block, job_id, user_id, status, first_row, rows, usable,
      paid, predicted, turn, done_after, compounds, compound_keys, cells)
    values (${id}, 0, ${randomUUID()}, ${userId}, 'DONE', 0, ${length}, ${length}, ${length}, 1, 0,
      ${length}, ${rows}, ${Buffer.concat(keys)}, ${cells})`.execute(db)
  return id
}

test('screens keep their predictions, rows and cost, and their pairs count as predicted', async () => {
  const database = await openOld('0017-measurements-outlive-structures')
  const { db } = database
  const { userId } = await addLibrary(database, [])
  const rows: OldScreen['rows'] = [
    ['a', 'CCO'],
    ['b', 'CCC'],
  ]
  const id = await addScreen(database, userId, { request: {}, rows })
  await migrate(db)
  const pairs = await db.selectFrom('pairs').selectAll().execute()
  expect(pairs).toMatchObject([{ row: 0, place: 0, model_version: 'test-1' }])
  expect(pairs.map(fromStored)[0]).toEqual({
    predicted: 7.123,
    lower: 6.123,
    upper: 8.623,
    domainState: null,
    isLigandDriven: false,
    compoundSimilarity: 0.4,
    targetSimilarity: 1,
  })
  expect(await paidOf(database, userId, ['CCO', 'CCC'])).toEqual([
    { isPaid: true, isKnown: true },
    { isPaid: false, isKnown: false },
  ])
  const input = db.selectFrom('order_rows').select(['row', 'name', 'standard']).orderBy('row')
  expect(await input.execute()).toEqual([
    { row: 0, name: 'a', standard: 'CCO' },
    { row: 1, name: 'b', standard: 'CCC' },
  ])
  const order = await db.selectFrom('orders').selectAll().executeTakeFirstOrThrow()
  expect(order).toMatchObject({ id, kind: 'screen', credits_charged: 2, targets: 1 })
})

test('old orders of POST /predict are calls; a screen whose compounds are named by SMILES stays a screen', async () => {
  const database = await openOld('0017-measurements-outlive-structures')
  const { userId } = await addLibrary(database, [])
  const rows: OldScreen['rows'] = [
    ['CCO', 'CCO'],
    ['OCC', 'OCC'],
  ]
  const names = rows.map(([name]) => name)
  const call = await addScreen(database, userId, { request: { target: 'T', smiles: names }, rows })
  const screens = [
    await addScreen(database, userId, { request: { targets: ['T'], compounds: 'all' }, rows }),
    await addScreen(database, userId, {
      request: { targets: [{ name: 'T', chain: 'A' }], compounds: names },
      rows,
    }),
    await addScreen(database, userId, { request: {}, rows: [...rows, ['ethane', 'CC']] }),
  ]
  await migrate(database.db)
  const orders = await database.db.selectFrom('orders').select(['id', 'kind']).execute()
  expect(new Map(orders.map(({ id, kind }) => [id, kind]))).toEqual(
    new Map([[call, 'call'], ...screens.map((id) => [id, 'screen'] as const)]),
  )
})

test('free tasks of opened cells are not in the history, and can still be polled', async () => {
  const database = await openOld('0017-measurements-outlive-structures')
  const { db } = database
  const library = await addLibrary(database, ['CCO', 'CCC'])
  const { userId } = library
  const [inScreen = '', alone = ''] = library.compounds
  await addScreen(database, userId, { request: {}, rows: [['a', 'CCO']] })
  const opened = await addTask(database, library, {
    compoundId: inScreen,
    status: 'SUCCESS',
    predicted: 7.123,
  })
  await sql`update tasks set credits_charged = 0 where id = ${opened}`.execute(db)
  const free = await addTask(database, library, {
    compoundId: alone,
    status: 'SUCCESS',
    predicted: 5,
  })
  await sql`update tasks set credits_charged = 0 where id = ${free}`.execute(db)
  await migrate(db)
  const read = { db, best: plainEstimates }
  const page = await pageOfHistory(read, { userId, search: '', page: 1, page_size: 10 })
  expect(page).toMatchObject({ total: 1, predictions: [{ task_id: free }] })
  expect(await reader(database)(userId, opened)).toMatchObject({ status: 'SUCCESS' })
})

test('an earlier migration that is released later is also applied to a database with later ones', async () => {
  const database = overPglite(await PGlite.create(), log)
  onTestFinished(() => database.close())
  const all = await migrations.getMigrations()
  const { '0034-measurement-orders': late, ...others } = all
  const provider = { getMigrations: async () => others }
  await new Migrator({ db: database.db, provider }).migrateToLatest()
  await migrate(database.db)
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(
    database.db,
  )
  expect(late).toBeDefined()
  expect(applied.rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(all))
})

type OldOrder = {
  userId: string
  status: 'DONE' | 'RUNNING'
  smiles: string[]
  isPredicted: boolean
}

/** Of version 0060, where each stereoisomer was paid for. Returns its number. */
async function addOrder({ db }: OldDatabase, order: OldOrder): Promise<number> {
  const id = randomUUID()
  const { userId, status, smiles, isPredicted } = order
  const { length } = smiles
  const { rows } = await sql<{ number: number }>`
    insert into orders (id, user_id, kind, status, targets, compounds, total, done, known, paid, credits_per_pair,
      credits_charged, bytes, model_version, created_at)
    values (${id}, ${userId}, 'screen', ${status}, 1, ${length}, ${length}, 0, 0, ${length}, 1, ${length}, 1, 'test-1',
      now()) returning number`.execute(db)
  const number = rows[0]?.number ?? 0
  const key = sequenceKey(segments)
  await sql`insert into sequences (user_id, key) values (${userId}, ${key}) on conflict do nothing`.execute(
    db,
  )
  await sql`insert into order_targets (order_id, place, user_id, name, chain, segments, key, sequence_id)
    select ${id}, 0, ${userId}, 'T', 'A', ${JSON.stringify(segments)}, ${key}, id from sequences`.execute(
    db,
  )
  await sql`insert into blocks (order_id, block, job_id, user_id, status, first_row, rows, usable, turn,
      model_version)
    values (${id}, 0, ${randomUUID()}, ${userId}, ${isPredicted ? 'DONE' : 'WAITING'}, 0, ${length}, ${length}, 0,
      'test-1')`.execute(db)
  for (const [row, one] of smiles.entries()) {
    await sql`insert into order_rows (order_number, row, block, name, smiles, standard, compound_key)
      values (${number}, ${row}, 0, ${one}, ${one}, ${one}, ${compoundKey(one)})`.execute(db)
    if (!isPredicted) continue
    await sql`insert into pairs (order_number, row, place, sequence_id, predicted, lower, upper, domain_state,
        compound_similarity, target_similarity, is_ligand_driven, is_payer, compound_key, model_version)
      select ${number}, ${row}, 0, id, 7000000, 6000000, 8000000, 'inside', 0, 0, false, true, ${compoundKey(one)}, 'test-1'
      from sequences`.execute(db)
  }
  return number
}

test('stereoisomers paid for before 0062 stay paid, as one pair with one payer, and orders keep their charges', async () => {
  const database = await openOld('0060-shares')
  const [s, r] = ['C[C@H](N)O', 'C[C@@H](N)O']
  const { userId } = await addLibrary(database, [s, r, 'CC(N)O', 'CCO'])
  const done = { userId, status: 'DONE', isPredicted: true } as const
  const first = await addOrder(database, { ...done, smiles: [s, r, 'CCO'] })
  const open = { userId, status: 'RUNNING', isPredicted: false } as const
  const waiting = ['C[C@H](N)S', 'C[C@@H](N)S', 'CCS']
  const second = await addOrder(database, { ...open, smiles: waiting })
  await migrate(database.db)
  const { rows: pairs } = await sql<{ row: number; is_payer: boolean }>`
    select row, is_payer from pairs where order_number = ${first} order by row`.execute(database.db)
  expect(pairs.map(({ is_payer }) => is_payer)).toEqual([true, false, true])
  const { rows: orders } = await sql`select number, paid, known, credits_charged::int as charged
    from orders order by number`.execute(database.db)
  expect(orders).toEqual([
    { number: first, paid: 3, known: 0, charged: 3 },
    { number: second, paid: 2, known: 1, charged: 3 },
  ])
  expect(await paidOf(database, userId, ['CC(N)O', 'CCO', 'CC(N)S', 'CCN'])).toEqual([
    { isPaid: true, isKnown: true },
    { isPaid: true, isKnown: true },
    { isPaid: true, isKnown: false },
    { isPaid: false, isKnown: false },
  ])
  const library = await database.db.selectFrom('compounds').select(['smiles', 'flat_key']).execute()
  const flat = compoundKey('CC(N)O')
  expect(new Map(library.map(({ smiles, flat_key }) => [smiles, flat_key]))).toEqual(
    new Map([
      [s, flat],
      [r, flat],
      ['CC(N)O', null],
      ['CCO', null],
    ]),
  )
  await migrate(database.db)
})
