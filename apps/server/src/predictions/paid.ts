/**
 * Answers two questions about pairs: has this user paid for them, and is their number known? A pair is paid for if one of
 * the user's orders pays for its number, or will predict it. Ask under the lock of the user's orders if the answer is
 * to stay true.
 */
import { type RawBuilder, sql } from 'kysely'
import type { StoredNumber } from './pair-number.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Plan, PlannedTarget } from './plan.ts'

type Keys = { keys: Plan['keys']; targets: Pick<PlannedTarget, 'key'>[] }
export type PlannedPairs = { userId: string; modelVersion: string; plan: Keys }

/** How many distinct pairs of the plan no order pays for yet, and how many have a number. */
export async function countPaid(
  db: Database,
  { userId, modelVersion, plan }: PlannedPairs,
): Promise<{ unpaid: number; known: number }> {
  const open = await listOpenOrders(db, userId)
  const waiting =
    open.length === 0
      ? sql`select sequence_id, compound_key from known`
      : sql`select sequence_id, compound_key from (${waitingPairs(open, sql`wanted`)}) as waiting
          join targets using (sequence_id)`
  const { rows } = await sql<{ pairs: number; known: number; paid: number }>`
    with wanted as materialized (${distinctKeys(plan)}),
      targets as materialized (${sequencesOf(userId, plan)}),
      known as materialized (
        select pairs.sequence_id, pairs.compound_key from pairs
        join targets using (sequence_id) join wanted using (compound_key)
        where is_payer and model_version = ${modelVersion}),
      waiting as (${waiting})
    select (select count(*) from wanted)::int as pairs, (select count(*) from known)::int as known,
      (select count(*) from (select * from known union select * from waiting) as paid)::int as paid`.execute(
    db,
  )
  const { pairs = 0, known = 0, paid = 0 } = rows[0] ?? {}
  const targets = new Set(plan.targets.map(({ key }) => key.toString('hex'))).size
  return { unpaid: pairs * targets - paid, known }
}

/** Orders that predict pairs; those of measured values are free and pay for nothing. */
export async function listOpenOrders(db: Database, userId: string): Promise<number[]> {
  const orders = await db
    .selectFrom('orders')
    .select('number')
    .where('user_id', '=', userId)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .where('kind', '<>', 'measurement')
    .execute()
  return orders.map(({ number }) => number)
}

/**
 * The pairs without a number that these open orders will predict, of the compounds in a relation of `compound_key`. The
 * first of several orders with the same pair pays for it.
 */
export function waitingPairs(
  orders: number[],
  compounds: RawBuilder<unknown>,
  /** Further columns, and the targets wanted. */
  { columns = sql``, where = sql`true` } = {},
): RawBuilder<unknown> {
  return sql`select order_rows.order_number, order_rows.row, order_targets.place, order_targets.sequence_id,
      order_rows.flat_key as compound_key, blocks.job_id${columns}
    from ${compounds} as given
    join order_rows on order_rows.order_number = any(${orders}::int[])
      and order_rows.flat_key = given.compound_key
    join orders on orders.number = order_rows.order_number
    join blocks on blocks.order_id = orders.id and blocks.block = order_rows.block
      and blocks.status = 'WAITING'
    join order_targets on order_targets.order_id = orders.id
    where ${where} and not exists (select from pairs where pairs.order_number = order_rows.order_number
      and pairs.row = order_rows.row and pairs.place = order_targets.place)`
}

function distinctKeys({ keys }: Keys): RawBuilder<unknown> {
  return sql`select distinct compound_key from unnest(${toKeys(keys)}::bytea[]) as given (compound_key)`
}

function sequencesOf(userId: string, { targets }: Keys): RawBuilder<unknown> {
  return sql`select id as sequence_id from sequences
    where user_id = ${userId} and key = any(${targets.map(({ key }) => key)}::bytea[])`
}

function toKeys(keys: string[]): Buffer[] {
  return keys.filter((key) => key !== '').map((key) => Buffer.from(key, 'latin1'))
}

export type KnownNumber = Pick<StoredNumber, 'predicted' | 'lower' | 'upper'> & {
  compound_key: Buffer
  model_version: string
}

/**
 * The numbers of the plan's pairs on one target; with `isEarlier`, the latest ones of other models. They are keyed by
 * compound as in the plan.
 */
export async function readKnown(
  db: Database,
  { userId, modelVersion, plan }: PlannedPairs,
  { isEarlier = false } = {},
): Promise<Map<string, KnownNumber>> {
  const version = isEarlier
    ? sql<boolean>`pairs.model_version <> ${modelVersion}`
    : sql<boolean>`pairs.model_version = ${modelVersion}`
  const { rows } = await sql<KnownNumber>`
    with wanted as (${distinctKeys(plan)}), targets as (${sequencesOf(userId, plan)})
    select distinct on (compound_key) compound_key, predicted, lower, upper, pairs.model_version
    from pairs join targets using (sequence_id) join wanted using (compound_key)
    join orders on orders.number = pairs.order_number
    where is_payer and ${version}
    order by compound_key, orders.created_at desc, orders.number desc`.execute(db)
  return new Map(rows.map((row) => [row.compound_key.toString('latin1'), row]))
}
