/**
 * Computes the refund of an order: the charge for pairs without a prediction. If another order of the user has such a
 * pair, or waits for it, for free because this order paid, nothing is refunded: the other order takes over the charge.
 */
import { type Selectable, sql } from 'kysely'
import type { OrdersTable, Trx } from '#server/platform/db/schema.ts'
import { CELL_BYTES, hasNumber } from './cells.ts'
import { COMPOUND_KEY_BYTES } from './pair-key.ts'
import { type DistinctPairs, distinctPairs, payment } from './paid.ts'
import { blocksWith, cellsIn, isFree, type PaidBlock, setFree } from './paid-blocks.ts'
import { NO_KEY } from './plan.ts'

const PAGE_BLOCKS = 100

export type OrderRecord = Selectable<OrdersTable>

type Returned = {
  /** Distinct pairs without and with a prediction. */
  missing: number
  numbers: number
  /** Pairs that this order no longer pays for, and how many of them no order pays for. */
  returned: number
  refunded: number
}

/** In the transaction that ends the order, under the lock of the user's orders. */
export async function returnPayment(trx: Trx, order: OrderRecord): Promise<Returned> {
  const { pairs, missing, numbers } = await readOwnPairs(trx, order.id)
  const returned = pairs.paid.filter((one) => one === payment.none).length
  if (returned === 0) return { missing, numbers, returned: 0, refunded: 0 }
  const passedOn = await passOn(trx, order, pairs)
  return { missing, numbers, returned, refunded: returned - passedOn }
}

/** A pair that loses the prediction it started with was not charged by this order, so it is not refunded. */
export async function keepUncharged(trx: Trx, jobId: string, cells: Buffer): Promise<void> {
  const before = await trx
    .selectFrom('blocks')
    .select(['cells', 'free'])
    .where('job_id', '=', jobId)
    .where('cells', 'is not', null)
    .executeTakeFirst()
  if (!before?.cells) return
  const count = before.cells.length / CELL_BYTES
  const free = before.free ?? Buffer.alloc(Math.ceil(count / 8))
  for (let cell = 0; cell < count; cell += 1) {
    if (hasNumber(before.cells, cell) && !hasNumber(cells, cell)) setFree(free, cell, true)
  }
  await trx.updateTable('blocks').set({ free }).where('job_id', '=', jobId).execute()
}

/** Pairs that are `payment.none` in the result are those that this order was charged for in vain. */
async function readOwnPairs(trx: Trx, orderId: string) {
  const targets = await trx
    .selectFrom('order_targets')
    .select('key')
    .where('order_id', '=', orderId)
    .orderBy('place')
    .execute()
  const targetKeys = targets.map(({ key }) => key.toString('hex'))
  const pairs = distinctPairs({ keys: await readOwnKeys(trx, orderId), targets })
  const hasNumbers = new Uint8Array(pairs.paid.length)
  for await (const { keys, cells, free } of ownBlocks(trx, orderId)) {
    for (const { cell, place } of cellsIn({ keys, targetKeys }, pairs)) {
      const isNumber = cells !== null && cells.length > 0 && hasNumber(cells, cell)
      if (isNumber) hasNumbers[place] = 1
      if (isNumber || isFree(free, cell)) pairs.paid[place] = payment.settled
    }
  }
  const numbers = hasNumbers.filter((one) => one === 1).length
  return { pairs, numbers, missing: hasNumbers.length - numbers }
}

async function readOwnKeys(trx: Trx, orderId: string): Promise<string[]> {
  const found = new Set<string>()
  const blocks = await trx
    .selectFrom('blocks')
    .select('compound_keys')
    .where('order_id', '=', orderId)
    .execute()
  for (const { compound_keys: keys } of blocks) {
    for (let at = 0; at < keys.length; at += COMPOUND_KEY_BYTES) {
      found.add(keys.toString('latin1', at, at + COMPOUND_KEY_BYTES))
    }
  }
  found.delete(NO_KEY)
  return [...found]
}

async function* ownBlocks(trx: Trx, orderId: string) {
  for (let from = 0; ; from += PAGE_BLOCKS) {
    const blocks = await trx
      .selectFrom('blocks')
      .select(['compound_keys as keys', 'cells', 'free'])
      .where('order_id', '=', orderId)
      .orderBy('block')
      .offset(from)
      .limit(PAGE_BLOCKS)
      .execute()
    yield* blocks
    if (blocks.length < PAGE_BLOCKS) return
  }
}

/** Returns how many pairs are taken over by other orders of the user. */
async function passOn(trx: Trx, order: OrderRecord, pairs: DistinctPairs): Promise<number> {
  const { user_id: userId, credits_per_pair: price } = order
  const heirs = new Map<number, string>()
  for await (const block of blocksWith(trx, { userId, pairs, except: order.id })) {
    const { orderId, free, modelVersion, orderedAt } = block
    if (free === null || block.creditsPerPair !== price) continue
    // This prediction of an earlier model existed before this order, so it was not free because of this order.
    if (modelVersion !== order.model_version && orderedAt < order.created_at) continue
    const inherited = [...heldCells(block, pairs)].filter(
      ({ place }) => (heirs.get(place) ?? orderId) === orderId,
    )
    if (inherited.length === 0) continue
    for (const { cell, place } of inherited) {
      heirs.set(place, orderId)
      setFree(free, cell, false)
    }
    await trx
      .updateTable('blocks')
      .set({ free })
      .where('order_id', '=', orderId)
      .where('block', '=', block.block)
      .execute()
  }
  await charge(
    trx,
    Map.groupBy(heirs.values(), (orderId) => orderId),
  )
  return heirs.size
}

/** Free cells whose payment would be refunded, and which have a prediction or wait for one. */
function* heldCells(block: PaidBlock, pairs: DistinctPairs) {
  const { status, cells, free } = block
  for (const found of cellsIn(block, pairs)) {
    const isHeld = status === 'WAITING' || (cells !== null && hasNumber(cells, found.cell))
    const isUnpaid = pairs.paid[found.place] === payment.none
    if (isHeld && isUnpaid && isFree(free, found.cell)) yield found
  }
}

async function charge(trx: Trx, heirs: Map<string, string[]>): Promise<void> {
  for (const [id, { length }] of heirs) {
    await trx
      .updateTable('orders')
      .set({
        paid: sql`paid + ${length}::int`,
        credits_charged: sql`credits_charged + ${length}::int * credits_per_pair`,
      })
      .where('id', '=', id)
      .execute()
  }
}
