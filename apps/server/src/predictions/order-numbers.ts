/**
 * Writes the numbers of orders. A pair has one paying row per user and model version, which a unique index guarantees;
 * what an order is charged for in the end is what it pays for. The caller holds the lock of the user's orders.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables, Trx } from '#server/platform/db/schema.ts'
import { listOpenOrders, waitingPairs } from './paid.ts'
import { numberColumns, type PairNumber, type StoredNumber, toStored } from './pair-number.ts'

export type OrderRecord = Selectable<Tables['orders']>

/** `row` and `place` count from 0. */
export type PredictedPair = PairNumber & { row: number; place: number }

const pair = sql`sequence_id, compound_key`
const numberList = sql.raw(numberColumns.join(', '))
const givenNumbers = sql.raw(numberColumns.map((name) => `given.${name}`).join(', '))

/** Pairs per statement: others use the one embedded connection in between. */
const PAIRS_PER_INSERT = 4000

/** Copies the numbers that the user has already into a new order. */
export async function copyKnown(
  trx: Trx,
  order: { number: number; modelVersion: string; rows: number; targets: number },
): Promise<void> {
  const size = Math.max(1, Math.floor(PAIRS_PER_INSERT / order.targets))
  for (let from = 0; from < order.rows; from += size) {
    await sql`insert into pairs (order_number, row, place, ${pair}, model_version, is_payer, ${numberList})
      select order_rows.order_number, order_rows.row, order_targets.place, pairs.sequence_id, pairs.compound_key,
        pairs.model_version, false, ${numberList}
      from orders join order_targets on order_targets.order_id = orders.id
      join order_rows on order_rows.order_number = orders.number
      join pairs on is_payer and pairs.sequence_id = order_targets.sequence_id
        and pairs.compound_key = order_rows.flat_key and pairs.model_version = ${order.modelVersion}
      where orders.number = ${order.number} and order_rows.row >= ${from} and order_rows.row < ${from + size}
      order by order_rows.row, order_targets.place`.execute(trx)
  }
}

/**
 * Stores what a block predicted: in its own order, and in every other open order of the user that waits for the same
 * pairs, which then does not predict them again. The first of these orders pays. An order that pays for each of its pairs,
 * with no other beside it, can meet no row of the same pair: looking for one would take half as long again.
 */
export async function storeNumbers(
  trx: Trx,
  order: OrderRecord,
  { pairs, modelVersion }: { pairs: PredictedPair[]; modelVersion: string },
): Promise<void> {
  if (pairs.length === 0) return
  const isMeasurement = order.kind === 'measurement'
  const open = isMeasurement ? [] : await listOpenOrders(trx, order.user_id)
  const own = ownPairs(order, pairs)
  const numbers = sql`(select distinct on (${pair}) ${pair}, ${numberList} from (${own}) as own order by ${pair}, row, place)`
  const receiving =
    open.length > 1
      ? waitingPairs(open, numbers, {
          columns: sql`, ${givenNumbers}`,
          where: sql`order_targets.sequence_id = given.sequence_id`,
        })
      : own
  const insert = async (isPayer: boolean, onConflict = sql`on conflict do nothing`) => {
    const { numAffectedRows } = await sql`
      insert into pairs (order_number, row, place, ${pair}, model_version, is_payer, ${numberList})
      select order_number, row, place, ${pair}, ${modelVersion}, ${isPayer}, ${numberList}
      from (${receiving}) as receiving order by order_number, row, place ${onConflict}`.execute(trx)
    return Number(numAffectedRows)
  }
  const paysForAll = order.paid === order.total && modelVersion === order.model_version
  if (open.length === 1 && paysForAll) return void (await insert(true, sql``))
  // Pairs that have a payer by now, and those that the order lists twice, are left.
  const paying = isMeasurement ? 0 : await insert(true)
  if (open.length > 1 || paying < pairs.length) await insert(false)
}

function ownPairs(
  { id, number }: Pick<OrderRecord, 'id' | 'number'>,
  pairs: PredictedPair[],
): RawBuilder<unknown> {
  const stored = pairs.map(toStored)
  const column = (name: keyof StoredNumber) => stored.map((one) => one[name])
  return sql`select order_number, order_rows.row, order_targets.place, sequence_id, flat_key as compound_key, given.predicted, lower, upper,
      domain_state::domain_state, is_ligand_driven, compound_similarity, target_similarity
    from unnest(${pairs.map(({ row }) => row)}::int[], ${pairs.map(({ place }) => place)}::int[],
      ${column('predicted')}::int[], ${column('lower')}::int[], ${column('upper')}::int[],
      ${column('domain_state')}::text[], ${column('is_ligand_driven')}::boolean[],
      ${column('compound_similarity')}::smallint[], ${column('target_similarity')}::smallint[])
      as given (row, place, ${numberList})
    join order_rows on order_rows.order_number = ${number} and order_rows.row = given.row
    join order_targets on order_targets.order_id = ${id} and order_targets.place = given.place`
}

/**
 * Before these blocks stop waiting: pairs without a number that this order pays for, and that a later open order waits
 * for, are passed on to that order with their charge, at the lower of the two prices.
 */
export async function passOn(
  trx: Trx,
  order: Pick<OrderRecord, 'number' | 'user_id' | 'kind'>,
  jobIds: string[],
): Promise<void> {
  if (order.kind === 'measurement' || jobIds.length === 0) return
  const open = await listOpenOrders(trx, order.user_id)
  if (open.every((number) => number === order.number)) return
  await sql`
    with compounds as (
      select distinct flat_key as compound_key from blocks join order_rows on order_rows.block = blocks.block
      where job_id = any(${jobIds}::uuid[]) and order_number = ${order.number} and flat_key is not null),
    waiting as materialized (${waitingPairs(open, sql`compounds`)}),
    leaving as (
      select distinct ${pair} from waiting
      where order_number = ${order.number} and job_id = any(${jobIds}::uuid[])),
    heirs as (
      select distinct on (${pair}) order_number from waiting join leaving using (${pair})
      where not (order_number = ${order.number} and job_id = any(${jobIds}::uuid[]))
      order by ${pair}, order_number),
    shares as (
      select order_number, count(*) as pairs, least(own.credits_per_pair, heir.credits_per_pair) as price
      from heirs join orders heir on heir.number = order_number join orders own on own.number = ${order.number}
      where order_number > own.number group by 1, 3),
    passed as (
      update orders set paid = paid + shares.pairs, credits_charged = credits_charged + shares.pairs * price
      from shares where orders.number = order_number),
    sums as (select sum(pairs) as pairs, sum(pairs * price) as cost from shares having count(*) > 0)
    update orders set paid = paid - sums.pairs, credits_charged = credits_charged - sums.cost
    from sums where orders.number = ${order.number}`.execute(trx)
}

/** Distinct pairs without and with a number. */
export async function countNumbers(
  trx: Trx,
  { id, number }: Pick<OrderRecord, 'id' | 'number'>,
): Promise<{ missing: number; numbers: number }> {
  const { rows } = await sql<{ pairs: number; numbers: number }>`select
    (select count(distinct flat_key) from order_rows where order_number = ${number})
      * (select count(distinct sequence_id) from order_targets where order_id = ${id}) as pairs,
    (select count(distinct (${pair})) from pairs where order_number = ${number}) as numbers`.execute(
    trx,
  )
  const { pairs = 0, numbers = 0 } = rows[0] ?? {}
  return { missing: Number(pairs) - Number(numbers), numbers: Number(numbers) }
}
