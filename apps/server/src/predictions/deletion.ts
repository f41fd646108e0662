/** What happens to orders when their target, compound or user is deleted. */
import type { DeletionPreview } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Going } from '#server/files/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
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
    .select(['orders.id', 'job_id as jobId'])
    .where('orders.user_id', '=', userId)
    .where('orders.kind', '=', 'single')
    .where(kind === 'targets' ? 'target_id' : 'compound_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('orders.id')
    .execute()
  if (orders.length === 0) return 0
  const orderIds = orders.map(({ id }) => id)
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
  await trx
    .updateTable('order_rows')
    .set({ name: '', smiles: '', standard: null, reason: null })
    .where('order_id', 'in', orderIds)
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
  const poses = await trx
    .selectFrom('structure_blocks')
    .select('job_id')
    .where('user_id', '=', userId)
    .where('status', '=', 'WAITING')
    .execute()
  await deleteJobs(
    trx,
    [...blocks, ...poses].map(({ job_id }) => job_id),
  )
}
