/** Migrates packed results of screens to rows: numbers, payers and orders in progress are kept. */
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
