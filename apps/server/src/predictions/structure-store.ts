/** Reads and ends the blocks of poses for their worker; the last block ends the run. */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { InputRow } from './plan.ts'
import { type BlockAttempt, type BlockQueue, hasLiveStructureJob } from './queue.ts'
import { readInput } from './screen-table.ts'
import { holdOrders } from './settle.ts'
import { packPlaced, type PlacedRow } from './structure-cells.ts'

const failedMessage = 'Poses failed because of a server error.'

export type StructureWork = {
  orderId: string
  userId: string
  target: { name: string; chain: string; key: Buffer }
  reference: string
  /** Molecule file of the user's own ligand, if compounds are placed on it. */
  own: string | null
  /** Standard SMILES to compare compounds with; empty if this run does not use differences. */
  anchors: string[]
  rows: InputRow[]
}

/** Null if the block is no longer needed. */
export async function readStructureWork(
  db: Database,
  jobId: string,
): Promise<StructureWork | null> {
  const block = await db
    .selectFrom('structure_blocks as block')
    .innerJoin('order_targets as target', (join) =>
      join
        .onRef('target.order_id', '=', 'block.order_id')
        .onRef('target.place', '=', 'block.place'),
    )
    .innerJoin('structure_runs as run', 'run.order_id', 'block.order_id')
    .select(['block.order_id as orderId', 'block.user_id as userId', 'reference'])
    .select(sql<string | null>`run.own_ligands ->> block.place::text`.as('own'))
    .select(['anchors', 'first_row', 'rows', 'name', 'chain', 'key'])
    .where('job_id', '=', jobId)
    .where('block.status', '=', 'WAITING')
    .executeTakeFirst()
  if (block === undefined) return null
  const { orderId, userId, reference, own, anchors, name, chain, key, first_row: from } = block
  const targets = [{ name, chain }]
  const rows = await readInput(db, { id: orderId, targets }, { from, to: from + block.rows })
  return { orderId, userId, target: { name, chain, key }, reference, own, anchors, rows }
}

/** `rows` null: the block failed. Does nothing if another attempt has the job by now. */
export async function finishStructureBlock(
  { db, queue }: { db: Database; queue: BlockQueue },
  attempt: BlockAttempt,
  rows: PlacedRow[] | null,
): Promise<void> {
  const packed = rows === null ? null : await packPlaced(rows)
  await inTransaction(db, async (trx) => {
    const block = await trx
      .selectFrom('structure_blocks')
      .select(['user_id as userId'])
      .where('job_id', '=', attempt.id)
      .executeTakeFirst()
    if (block !== undefined) await holdOrders(trx, block.userId)
    if (!(await queue.finish(trx, attempt)) || block === undefined) return
    const change =
      packed === null
        ? { status: 'FAILED' as const }
        : {
            status: 'DONE' as const,
            results: packed.results,
            poses: packed.poses,
            placed: packed.placed,
            pose_sum: packed.poseSum,
            similarity_sum: packed.similaritySum,
            difference_sum: packed.differenceSum,
          }
    await endBlock(trx, attempt.id, change)
  })
}

type Change = { status: 'DONE' | 'FAILED'; results?: Buffer; poses?: Buffer }

async function endBlock(trx: Trx, jobId: string, change: Change): Promise<void> {
  const ended = await trx
    .updateTable('structure_blocks')
    .set(change)
    .where('job_id', '=', jobId)
    .where('status', '=', 'WAITING')
    .returning(['order_id as orderId', 'usable'])
    .executeTakeFirst()
  if (ended === undefined) return
  const { orderId, usable } = ended
  const bytes = (change.results?.length ?? 0) + (change.poses?.length ?? 0)
  await trx
    .updateTable('orders')
    .set({ bytes: sql`bytes + ${bytes}::int` })
    .where('id', '=', orderId)
    .execute()
  await trx
    .updateTable('structure_runs')
    .set({ done: sql`done + ${usable}::int` })
    .where('order_id', '=', orderId)
    .execute()
  await sql`update structure_runs set
    status = case when exists (select from structure_blocks where order_id = ${orderId} and status = 'DONE')
      then 'DONE' else 'FAILED' end,
    message = case when exists (select from structure_blocks where order_id = ${orderId} and status = 'FAILED')
      then ${failedMessage}::text end
    where order_id = ${orderId} and status = 'RUNNING'
      and not exists (select from structure_blocks where order_id = ${orderId} and status = 'WAITING')`.execute(
    trx,
  )
}

/** Ends blocks whose job no longer exists. */
export async function failAbandonedStructure(db: Database): Promise<string[]> {
  const abandoned = await db
    .selectFrom('structure_blocks')
    .innerJoin('structure_runs', 'structure_runs.order_id', 'structure_blocks.order_id')
    .select(['job_id as jobId', 'structure_blocks.user_id as userId'])
    .where('structure_blocks.status', '=', 'WAITING')
    .where('structure_runs.status', '=', 'RUNNING')
    .where((where) => where.not(hasLiveStructureJob))
    .limit(100)
    .execute()
  for (const { jobId, userId } of abandoned) {
    await inTransaction(db, async (trx) => {
      await holdOrders(trx, userId)
      await endBlock(trx, jobId, { status: 'FAILED' })
    })
  }
  return abandoned.map(({ jobId }) => jobId)
}
