/** What happens to orders when their target, compound or user is deleted. */
import type { DeletionPreview } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Going } from '#server/files/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isInProgress } from './follow-ups.ts'
import { deleteJobs } from './queue.ts'
import { failOrders, holdOrders } from './settle.ts'

const deletedMessage = 'The target or compound was deleted. Your credits were refunded.'

/**
 * In the caller's transaction, under the lock of the user's orders: fails and refunds waiting single predictions of
 * these targets or compounds, and erases the sequences and molecules of all their single predictions. Returns how many
 * predictions were failed.
 */
export async function endTasksOf(
  trx: Trx,
  { userId, kind, ids }: Going,
  now: () => Date,
): Promise<number> {
  const orders = await trx
    .selectFrom('orders')
    .innerJoin('blocks', 'blocks.order_id', 'orders.id')
    .select(['orders.id', 'number', 'job_id as jobId'])
    .where('orders.user_id', '=', userId)
    .where('orders.kind', '=', 'single')
    .where(kind === 'targets' ? 'target_id' : 'compound_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('orders.id')
    .execute()
  if (orders.length === 0) return 0
  const orderIds = orders.map(({ id }) => id)
  const numbers = orders.map(({ number }) => number)
  await deleteJobs(
    trx,
    orders.map(({ jobId }) => jobId),
  )
  const ended = await failOrders({ now }, trx, orderIds, deletedMessage)
  await trx
    .updateTable('order_targets')
    .set({ segments: '[]' })
    .where('order_id', 'in', orderIds)
    .execute()
  await trx.deleteFrom('poses').where('order_number', 'in', numbers).execute()
  await trx
    .updateTable('order_rows')
    .set({ name: '', smiles: '', standard: null, reason: null })
    .where('order_number', 'in', numbers)
    .execute()
  return ended
}

/** What `endTasksOf` would keep and fail; counts everything of the user if `what` is null. */
export async function countTasksOf(
  db: Database,
  userId: string,
  what: Pick<Going, 'kind' | 'ids'> | null,
): Promise<Pick<DeletionPreview, 'predictions' | 'predictions_under_way' | 'screens'>> {
  const column = what?.kind === 'targets' ? 'target_id' : 'compound_id'
  return db
    .selectFrom('orders')
    .select(({ fn }) => {
      const single = fn.countAll<number>().filterWhere('kind', '=', 'single')
      return [
        single.filterWhere('status', '=', 'DONE').filterWhere('failed', '=', 0).as('predictions'),
        single.filterWhere('status', 'in', ['QUEUED', 'RUNNING']).as('predictions_under_way'),
        fn.countAll<number>().filterWhere('kind', '=', 'screen').as('screens'),
      ]
    })
    .where('user_id', '=', userId)
    .$if(what !== null, (query) =>
      query.where(column, '=', sql<string>`any(${what?.ids ?? []}::uuid[])`),
    )
    .executeTakeFirstOrThrow()
}

/** In the caller's transaction: removes all jobs of a user from the queue, and waits for orders being placed. */
export async function forgetJobs(trx: Trx, userId: string): Promise<void> {
  await holdOrders(trx, userId)
  const blocks = await trx
    .selectFrom('blocks')
    .select('job_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'WAITING')
    .execute()
  await deleteJobs(
    trx,
    blocks.map(({ job_id }) => job_id),
  )
}

/** With its follow-ups; false if one of them, or an order that may have copies of their pairs, is in progress. */
export async function removeOrder(db: Database, userId: string, id: string): Promise<boolean> {
  const isRemoved = await inTransaction(db, async (trx) => {
    await holdOrders(trx, userId)
    if ((await isInProgress(trx, id)) || (await hasOpenCopies(trx, userId))) return false
    // Its pairs are deleted in slices. Until then nobody finds it.
    await trx
      .updateTable('orders')
      .set({ kind: 'removed', screen_id: null, idempotency_key: null })
      .where('user_id', '=', userId)
      .where((where) => where.or([where('id', '=', id), where('screen_id', '=', id)]))
      .execute()
    return true
  })
  if (isRemoved) await emptyRemoved(db)
  return isRemoved
}

/** Whether an order in progress has pairs that another order pays for. */
async function hasOpenCopies(db: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`select from orders where user_id = ${userId} and kind <> 'measurement'
    and status in ('QUEUED', 'RUNNING') and paid < total limit 1`.execute(db)
  return rows.length > 0
}

/** Pairs per transaction. */
const PAIRS_AT_ONCE = 2000

/**
 * Deletes removed orders with their pairs, slice by slice. If another order has the number of a pair too, it pays from
 * then on, so the pair stays paid for. Orders whose copies may be of an order in progress are left until that has ended.
 */
export async function emptyRemoved(db: Database): Promise<void> {
  const orders = await db
    .selectFrom('orders')
    .select(['number', 'user_id as userId', 'compounds', 'targets'])
    .where('kind', '=', 'removed')
    .execute()
  for (const order of orders) {
    const rows = Math.max(1, Math.floor(PAIRS_AT_ONCE / order.targets))
    for (let from = 0; from <= order.compounds; from += rows) {
      const isDone = await inTransaction(db, async (trx) => {
        await holdOrders(trx, order.userId)
        if (await hasOpenCopies(trx, order.userId)) return false
        await emptyRows(trx, order, { from, to: from + rows })
        if (from + rows <= order.compounds) return true
        await trx.deleteFrom('orders').where('number', '=', order.number).execute()
        return true
      })
      if (!isDone) break
    }
  }
}

type Removed = { number: number; userId: string }

async function emptyRows(
  trx: Trx,
  { number, userId }: Removed,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const { rows: left } = await sql<{ keys: Buffer[] | null }>`
    with emptied as (
      delete from pairs where order_number = ${number} and row >= ${from} and row < ${to} returning compound_key, is_payer)
    select array_agg(distinct compound_key) filter (where is_payer) as keys from emptied`.execute(
    trx,
  )
  const keys = left[0]?.keys ?? []
  if (keys.length === 0) return
  await sql`
    with others as (
      select number from orders
      where user_id = ${userId} and paid < total and kind not in ('measurement', 'removed')),
    heirs as (
      select distinct on (sequence_id, copy.compound_key, model_version) order_number, row, place
      from others join order_rows on order_rows.order_number = number and order_rows.flat_key = any(${keys}::bytea[])
      join pairs copy using (order_number, row)
      where not exists (select from pairs payer where payer.is_payer and payer.sequence_id = copy.sequence_id
        and payer.compound_key = copy.compound_key and payer.model_version = copy.model_version)
      order by sequence_id, copy.compound_key, model_version, order_number, row, place)
    update pairs set is_payer = true from heirs
    where pairs.order_number = heirs.order_number and pairs.row = heirs.row and pairs.place = heirs.place`.execute(
    trx,
  )
}
