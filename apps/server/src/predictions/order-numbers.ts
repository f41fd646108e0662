/**
 * Writes the numbers of orders. A pair has one paying row per user and model version, which a unique index guarantees;
 * what an order is charged for in the end is what it pays for. The caller holds the lock of the user's orders.
 */
import { type Selectable, sql } from 'kysely'
import type { Database, OrdersTable, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { listOpenOrders, waitingPairs } from './paid.ts'
import { numberColumns, type PairNumber, type StoredNumber, toStored } from './pair-number.ts'

export type OrderRecord = Selectable<OrdersTable>

/** `row` and `place` count from 0. */
export type PredictedPair = PairNumber & { row: number; place: number }

const numberList = sql.raw(numberColumns.join(', '))
const givenNumbers = sql.raw(numberColumns.map((name) => `given.${name}`).join(', '))

/** Pairs per statement: others use the one embedded connection in between. */
const PAIRS_PER_INSERT = 4000

/** Copies the numbers that the user has already into a new order. */
export async function copyKnown(
  trx: Trx,
  order: { id: string; modelVersion: string; rows: number; targets: number },
): Promise<void> {
  const size = Math.max(1, Math.floor(PAIRS_PER_INSERT / order.targets))
  for (let from = 0; from < order.rows; from += size) {
    await sql`insert into pairs (order_id, row, place, sequence_id, compound_key, model_version, is_payer, ${numberList})
      select order_rows.order_id, order_rows.row, order_targets.place, pairs.sequence_id, pairs.compound_key,
        pairs.model_version, false, ${numberList}
      from order_rows join order_targets using (order_id)
      join pairs on is_payer and pairs.sequence_id = order_targets.sequence_id
        and pairs.compound_key = order_rows.compound_key and pairs.model_version = ${order.modelVersion}
      where order_rows.order_id = ${order.id} and order_rows.row >= ${from} and order_rows.row < ${from + size}
      order by order_rows.row, order_targets.place`.execute(trx)
  }
}

/**
 * Stores what a block predicted: in its own order, and in every other open order of the user that waits for the same
 * pairs, which then does not predict them again. The first of these orders pays.
 */
export async function storeNumbers(
  trx: Trx,
  order: Pick<OrderRecord, 'id' | 'user_id' | 'kind'>,
  { pairs, modelVersion }: { pairs: PredictedPair[]; modelVersion: string },
): Promise<void> {
  if (pairs.length === 0) return
  const stored = pairs.map(toStored)
  const column = (name: keyof StoredNumber) => stored.map((number) => number[name])
  const isMeasurement = order.kind === 'measurement'
  const open = isMeasurement ? [] : await listOpenOrders(trx, order.user_id)
  const pair = sql`sequence_id, compound_key`
  const numbers = sql`(select distinct on (${pair}) ${pair}, ${numberList} from own order by ${pair}, row, place)`
  const receiving =
    open.length > 1
      ? waitingPairs(open, numbers, {
          columns: sql`, ${givenNumbers}`,
          where: sql`order_targets.sequence_id = given.sequence_id`,
        })
      : sql`select ${order.id}::uuid as id, 0 as number, row, place, ${pair}, ${numberList} from own
          where not exists (select from pairs
            where order_id = ${order.id} and pairs.row = own.row and pairs.place = own.place)`
  await sql`
    with own as materialized (
      select order_rows.row, order_targets.place, sequence_id, compound_key, given.predicted, lower, upper,
        domain_state::domain_state, is_ligand_driven, compound_similarity, target_similarity
      from unnest(${pairs.map(({ row }) => row)}::int[], ${pairs.map(({ place }) => place)}::int[],
        ${column('predicted')}::int[], ${column('lower')}::int[], ${column('upper')}::int[],
        ${column('domain_state')}::text[], ${column('is_ligand_driven')}::boolean[],
        ${column('compound_similarity')}::smallint[], ${column('target_similarity')}::smallint[])
        as given (row, place, ${numberList})
      join order_rows on order_rows.order_id = ${order.id} and order_rows.row = given.row
      join order_targets on order_targets.order_id = ${order.id} and order_targets.place = given.place)
    insert into pairs (order_id, row, place, ${pair}, model_version, is_payer, ${numberList})
    select id, row, place, ${pair}, ${modelVersion},
      ${!isMeasurement} and row_number() over (partition by ${pair} order by number, row, place) = 1
        and not exists (select from pairs payer where payer.is_payer and payer.model_version = ${modelVersion}
          and payer.sequence_id = receiving.sequence_id and payer.compound_key = receiving.compound_key),
      ${numberList}
    from (${receiving}) as receiving order by id, row, place`.execute(trx)
}

/**
 * Before these blocks stop waiting: pairs without a number that this order pays for, and that a later open order waits
 * for, are passed on to that order with their charge, at the lower of the two prices.
 */
export async function passOn(
  trx: Trx,
  order: Pick<OrderRecord, 'id' | 'user_id' | 'kind'>,
  jobIds: string[],
): Promise<void> {
  if (order.kind === 'measurement' || jobIds.length === 0) return
  const open = await listOpenOrders(trx, order.user_id)
  if (open.every((id) => id === order.id)) return
  await sql`
    with compounds as (
      select distinct compound_key from blocks join order_rows using (order_id, block)
      where job_id = any(${jobIds}::uuid[]) and compound_key is not null),
    waiting as materialized (${waitingPairs(open, sql`compounds`)}),
    leaving as (
      select distinct sequence_id, compound_key from waiting
      where id = ${order.id} and job_id = any(${jobIds}::uuid[])),
    heirs as (
      select distinct on (sequence_id, compound_key) id, number from waiting join leaving using (sequence_id, compound_key)
      where not (id = ${order.id} and job_id = any(${jobIds}::uuid[]))
      order by sequence_id, compound_key, number),
    shares as (
      select heirs.id, count(*) as pairs, least(own.credits_per_pair, heir.credits_per_pair) as price
      from heirs join orders heir on heir.id = heirs.id join orders own on own.id = ${order.id}
      where heirs.number > own.number group by 1, 3),
    passed as (
      update orders set paid = paid + shares.pairs, credits_charged = credits_charged + shares.pairs * price
      from shares where orders.id = shares.id),
    sums as (select sum(pairs) as pairs, sum(pairs * price) as cost from shares having count(*) > 0)
    update orders set paid = paid - sums.pairs, credits_charged = credits_charged - sums.cost
    from sums where orders.id = ${order.id}`.execute(trx)
}

/** Distinct pairs without and with a number. */
export async function countNumbers(
  trx: Trx,
  orderId: string,
): Promise<{ missing: number; numbers: number }> {
  const { rows } = await sql<{ pairs: number; numbers: number }>`select
    (select count(distinct compound_key) from order_rows where order_id = ${orderId})
      * (select count(distinct sequence_id) from order_targets where order_id = ${orderId}) as pairs,
    (select count(distinct (sequence_id, compound_key)) from pairs where order_id = ${orderId}) as numbers`.execute(
    trx,
  )
  const { pairs = 0, numbers = 0 } = rows[0] ?? {}
  return { missing: Number(pairs) - Number(numbers), numbers: Number(numbers) }
}

/** Rows of the input per transaction. */
const ROWS_LEFT_AT_ONCE = 200

/**
 * Before an order is deleted: the numbers it pays for stay paid if another order has them too, which then pays. In
 * slices of a transaction each, under the lock of the user's orders.
 */
export async function leavePayment(
  db: Database,
  hold: (trx: Trx) => Promise<void>,
  order: { id: string; userId: string; rows: number },
): Promise<void> {
  const { rows: others } = await sql<{ id: string }>`select id from orders
    where user_id = ${order.userId} and paid < total and kind <> 'measurement' and id <> ${order.id}
      and status not in ('QUEUED', 'RUNNING')`.execute(db)
  if (others.length === 0) return
  const ids = others.map(({ id }) => id)
  for (let from = 0; from < order.rows; from += ROWS_LEFT_AT_ONCE) {
    await inTransaction(db, async (trx) => {
      await hold(trx)
      await leaveRows(trx, { id: order.id, from, to: from + ROWS_LEFT_AT_ONCE, others: ids })
    })
  }
}

type Leaving = { id: string; from: number; to: number; others: string[] }

async function leaveRows(trx: Trx, { id, from, to, others }: Leaving): Promise<void> {
  const { rows: heirs } = await sql<{
    order_id: string
    row: number
    place: number
    own_row: number
    own_place: number
  }>`
    select distinct on (own.row, own.place) copy.order_id, copy.row, copy.place, own.row as own_row, own.place as own_place
    from pairs own
    join order_rows on order_rows.order_id = any(${others}::uuid[]) and order_rows.compound_key = own.compound_key
    join pairs copy on copy.order_id = order_rows.order_id and copy.row = order_rows.row
      and copy.sequence_id = own.sequence_id and copy.model_version = own.model_version
    where own.order_id = ${id} and own.is_payer and own.row >= ${from} and own.row < ${to}
    order by own.row, own.place, copy.order_id, copy.row, copy.place`.execute(trx)
  if (heirs.length === 0) return
  const column = (name: 'row' | 'place' | 'own_row' | 'own_place') =>
    heirs.map((heir) => heir[name])
  await sql`update pairs set is_payer = false
    from unnest(${column('own_row')}::int[], ${column('own_place')}::int[]) as given (row, place)
    where order_id = ${id} and pairs.row = given.row and pairs.place = given.place`.execute(trx)
  await sql`update pairs set is_payer = true
    from unnest(${heirs.map((heir) => heir.order_id)}::uuid[], ${column('row')}::int[], ${column('place')}::int[])
      as given (id, row, place)
    where order_id = given.id and pairs.row = given.row and pairs.place = given.place`.execute(trx)
}
