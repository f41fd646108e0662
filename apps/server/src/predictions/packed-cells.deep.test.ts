/** Migrates packed results and poses of screens to rows: numbers, payers and orders in progress are kept. */
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { addLibrary, type OldDatabase, openOld, paidOf, segments } from '#test/open-old-database.ts'
import { migrate } from '#server/platform/db/open.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { noSignals } from '#server/platform/jobs/signals.ts'
import { openLog } from '#server/platform/log.ts'
import { compoundKey, sequenceKey } from './pair-key.ts'
import { openBlockQueue } from './queue.ts'
import { openSeenWaiting } from './seen-waiting.ts'
import { openOrderStore } from './store.ts'

const log = openLog('silent')

/** A screen of version 0053, with its blocks of packed cells. */
async function addPackedScreen(
  { db }: OldDatabase,
  userId: string,
  screen: {
    status: 'DONE' | 'RUNNING'
    smiles: string[]
    cells: (number | null)[]
    free?: Buffer
    paid: number
  },
): Promise<string> {
  const id = randomUUID()
  const { status, smiles, paid } = screen
  const { length } = smiles
  const [half, isOpen] = [length / 2, status === 'RUNNING']
  await sql`insert into orders (id, user_id, kind, status, targets, total, done, known, compounds, paid,
      credits_per_pair, credits_charged, bytes, model_version, created_at)
    values (${id}, ${userId}, 'screen', ${status}, 1, ${length}, ${isOpen ? half : length}, 0, ${length}, ${paid}, 1,
      ${paid}, 0, 'test-1', clock_timestamp())`.execute(db)
  await sql`insert into order_targets (order_id, place, user_id, name, chain, segments, key)
    values (${id}, 0, ${userId}, 'T', 'A', ${JSON.stringify(segments)}, ${sequenceKey(segments)})`.execute(
    db,
  )
  for (const block of [0, 1]) {
    const some = smiles.slice(block * half, (block + 1) * half)
    const cells = Buffer.alloc(15 * half)
    for (const [at, predicted] of screen.cells.slice(block * half, (block + 1) * half).entries()) {
      if (predicted === null) continue
      for (const part of [0, 4, 8]) cells.writeInt32LE(predicted * 1e6, 15 * at + part)
      cells[15 * at + 12] = 1 | 2 | 16
    }
    const rows = gzipSync(JSON.stringify(some.map((one) => [`C ${one}`, one, one, null])))
    const isWaiting = isOpen && block === 1
    await sql`insert into blocks (order_id, block, job_id, user_id, status, first_row, rows, usable, predicted, turn,
        compounds, compound_keys, cells, free, model_version)
      values (${id}, ${block}, ${randomUUID()}, ${userId}, ${isWaiting ? 'WAITING' : 'DONE'}, ${block * half}, ${half},
        ${half}, 0, 0, ${rows}, ${Buffer.concat(some.map(compoundKey))}, ${isWaiting ? null : cells},
        ${block === 0 ? (screen.free ?? null) : null}, 'test-1')`.execute(db)
  }
  return id
}

const numbersOf = ({ db }: OldDatabase) =>
  db
    .selectFrom('pairs')
    .innerJoin('orders', 'orders.number', 'pairs.order_number')
    .select(['orders.id as order_id', 'row', 'predicted', 'is_payer'])
    .orderBy('number')
    .orderBy('row')
    .execute()

test('packed cells become rows, and the first order of a pair pays for it', async () => {
  const database = await openOld('0053-follow-ups')
  const { userId } = await addLibrary(database, [])
  const first = await addPackedScreen(database, userId, {
    status: 'DONE',
    smiles: ['C', 'CC', 'CCC', 'CCCC'],
    cells: [5, 6, null, 8],
    paid: 3,
  })
  const second = await addPackedScreen(database, userId, {
    status: 'DONE',
    smiles: ['CC', 'CCC', 'CCO', 'CC'],
    cells: [6, 7, 4, 6],
    paid: 2,
  })
  await migrate(database.db)
  const row = (order_id: string, at: number, pkd: number, is_payer: boolean) => {
    return { order_id, row: at, predicted: pkd * 1e6, is_payer }
  }
  expect(await numbersOf(database)).toEqual([
    row(first, 0, 5, true),
    row(first, 1, 6, true),
    row(first, 3, 8, true),
    row(second, 0, 6, false),
    row(second, 1, 7, true),
    row(second, 2, 4, true),
    row(second, 3, 6, false),
  ])
})

test('a migration that stops in the middle loses nothing: the next start goes on', async () => {
  const database = await openOld('0053-follow-ups')
  const { db } = database
  const { userId } = await addLibrary(database, [])
  const ids: string[] = []
  for (let at = 0; at < 5; at += 1) {
    const smiles = [0, 1, 2, 3].map((one) => 'C'.repeat(4 * at + one + 1))
    ids.push(
      await addPackedScreen(database, userId, {
        status: 'DONE',
        smiles,
        cells: [5, 6, 7, 8],
        paid: 4,
      }),
    )
  }
  const last = ids.at(-1) ?? ''
  await sql`update blocks set compounds = 'broken'::bytea || compounds where order_id = ${last}`.execute(
    db,
  )
  await expect(migrate(db)).rejects.toThrow('incorrect header')
  const before = await numbersOf(database)
  expect(before.length).toBeGreaterThan(0)
  expect(before.length).toBeLessThan(20)
  await sql`update blocks set compounds = substr(compounds, 7) where order_id = ${last}`.execute(db)
  await migrate(db)
  const numbers = await numbersOf(database)
  expect(numbers).toHaveLength(20)
  expect(numbers.every((pair) => pair.is_payer)).toBe(true)
  expect(new Set(numbers.map(({ order_id }) => order_id))).toEqual(new Set(ids))
})

test('an order in progress goes on, and pays for what it has predicted and will predict', async () => {
  const database = await openOld('0053-follow-ups')
  const { db } = database
  const { userId } = await addLibrary(database, [])
  const smiles = ['C', 'CC', 'CCC', 'CCCC']
  const waiting = await addPackedScreen(database, userId, {
    status: 'RUNNING',
    smiles,
    cells: [5, 6, null, null],
    paid: 4,
  })
  // The first pair of this one was free, because the first order pays for it.
  const free = await addPackedScreen(database, userId, {
    status: 'RUNNING',
    smiles: ['CCC', 'CCO', 'CCCC', 'CCN'],
    cells: [7, 4, null, null],
    free: Buffer.of(1),
    paid: 2,
  })
  await sql`update users set credits = 94`.execute(db)
  await migrate(db)
  const boss = await openQueue(database, log)
  onTestFinished(() => closeQueue(boss))
  const now = () => new Date()
  const seenWaiting = openSeenWaiting(() => performance.now())
  const queue = await openBlockQueue(boss, true)
  const store = openOrderStore({ db, queue, now, signals: noSignals, seenWaiting })
  expect(await paidOf(database, userId, ['CCC', 'CCCC', 'CCN', 'CCF'])).toEqual([
    { isPaid: true, isKnown: false },
    { isPaid: true, isKnown: false },
    { isPaid: true, isKnown: false },
    { isPaid: false, isKnown: false },
  ])
  await store.cancel(userId, waiting)
  const costs = async () =>
    (await db.selectFrom('orders').select('credits_charged').orderBy('number').execute()).map(
      (order) => order.credits_charged,
    )
  // It keeps two numbers; one pair passes to the other order, and one that the other has already is refunded.
  expect(await costs()).toEqual([2, 3])
  await store.cancel(userId, free)
  expect(await costs()).toEqual([2, 1])
  const { credits } = await db.selectFrom('users').select('credits').executeTakeFirstOrThrow()
  expect(credits).toBe(97)
})

/** As packed by version 0057: features or a reason per row, and steps of 0.01 Å from an origin in whole Å. */
function packPoses(x: number[][]): { results: Buffer; poses: Buffer } {
  const rows = [...x.map((one) => [-1.5, 0.75, true, one.length / 3, 0.25]), 'Too different.', null]
  const origin = [10, -20, 30]
  const steps = x.flat().map((value, at) => Math.round(100 * (value - (origin[at % 3] ?? 0))))
  return {
    results: gzipSync(JSON.stringify(rows)),
    poses: gzipSync(Buffer.from(Int16Array.from([...origin, ...steps]).buffer)),
  }
}

test('packed poses become rows, also after a migration that stops in the middle, and waiting ones are placed', async () => {
  const database = await openOld('0057-names')
  const { db } = database
  const { userId } = await addLibrary(database, [])
  const id = randomUUID()
  await sql`insert into orders (id, user_id, kind, status, targets, total, done, known, compounds, paid,
      credits_per_pair, credits_charged, bytes, model_version, created_at)
    values (${id}, ${userId}, 'screen', 'DONE', 1, 100, 100, 0, 100, 100, 1, 100, 0, 'test-1', now())`.execute(
    db,
  )
  const key = sequenceKey(segments)
  await sql`with sequence as (insert into sequences (user_id, key) values (${userId}, ${key}) returning id)
    insert into order_targets (order_id, place, user_id, name, chain, segments, key, sequence_id)
    select ${id}, 0, ${userId}, 'T', 'A', ${JSON.stringify(segments)}, ${key}, id from sequence`.execute(
    db,
  )
  await sql`insert into order_rows (order_number, row, block, name, smiles, standard)
    select number, row, 0, 'C' || row, 'C', 'C' from orders, generate_series(0, 99) as row`.execute(
    db,
  )
  await sql`insert into blocks (order_id, block, job_id, user_id, status, first_row, rows, usable, turn, model_version)
    values (${id}, 0, ${randomUUID()}, ${userId}, 'DONE', 0, 100, 100, 0, 'test-1')`.execute(db)
  await sql`insert into structure_runs (order_id, user_id, status, total, done, weights, anchors, own_ligands, request_id)
    values (${id}, ${userId}, 'RUNNING', 100, 50, '{"pose": 0.1, "similarity": 2, "difference": 1}', '["CC"]',
      '{"0": "a molecule file"}', 'request-1')`.execute(db)
  const packed = packPoses([
    [10.25, -20.5, 31],
    [9, -19, 30.01, 8, -18, 29.99],
  ])
  const waiting = randomUUID()
  for (let block = 0; block < 25; block += 1) {
    const isDone = block < 24
    const { results, poses } = isDone ? packed : { results: null, poses: null }
    await sql`insert into structure_blocks (order_id, place, block, job_id, user_id, reference, status, turn, first_row,
        rows, usable, placed, results, poses)
      values (${id}, 0, ${block}, ${isDone ? randomUUID() : waiting}, ${userId}, 'LIG 1 A',
        ${isDone ? 'DONE' : 'WAITING'}, ${block}, ${4 * block}, 4, 3, 2, ${results}, ${poses})`.execute(
      db,
    )
  }
  await sql`update structure_blocks set results = 'broken'::bytea || results where block = 22`.execute(
    db,
  )
  await expect(migrate(db)).rejects.toThrow('incorrect header')
  await sql`update structure_blocks set results = substr(results, 7) where block = 22`.execute(db)
  await migrate(db)
  const poses = await db.selectFrom('poses').selectAll().orderBy('row').execute()
  expect(poses).toHaveLength(3 * 24)
  const placed = {
    pose: -1.5,
    similarity: 0.75,
    difference: 0.25,
    keeps_stereo: true,
    reason: null,
  }
  expect(poses.slice(-3)).toMatchObject([
    { ...placed, row: 92, x: [10.25, -20.5, 31] },
    { ...placed, row: 93, x: [9, -19, expect.closeTo(30.01, 4), 8, -18, expect.closeTo(29.99, 4)] },
    { row: 94, pose: null, x: null, reason: 'Too different.' },
  ])
  const boss = await openQueue(database, log)
  onTestFinished(() => closeQueue(boss))
  const store = openOrderStore({
    db,
    queue: await openBlockQueue(boss, true),
    now: () => new Date(),
    signals: noSignals,
    seenWaiting: openSeenWaiting(() => performance.now()),
  })
  expect(await store.read(userId, id)).toMatchObject({
    structure_status: 'RUNNING',
    structure_total: 100,
    structure_done: 72,
  })
  expect(await store.readPoseWork(waiting)).toMatchObject({
    reference: 'LIG 1 A',
    own: 'a molecule file',
    anchors: ['CC'],
    rows: Array.from({ length: 4 }, () => ({ standard: 'C' })),
  })
  // Its job is gone.
  await store.failAbandoned()
  expect(await store.read(userId, id)).toMatchObject({
    structure_status: 'DONE',
    structure_message: 'Poses failed because of a server error.',
  })
})
