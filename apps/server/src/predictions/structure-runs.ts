/**
 * The poses of a screen are one run: it waits for the screen's predictions, then its blocks are queued. Changing a run
 * requires the lock of the user's orders.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { chooseAnchors } from '#server/inference/service.ts'
import type { Trx } from '#server/platform/db/schema.ts'
import type { Signals } from '#server/platform/jobs/signals.ts'
import type { InputRow, Plan } from './plan.ts'
import { type BlockQueue, NEW_WORK } from './queue.ts'
import type { PlannedStructure } from './structure-order.ts'

/** A second or two of work for one thread. */
const ROWS_PER_BLOCK = 25
const ROWS_PER_INSERT = 500
const cancelMessage = 'Cancelled. Compounds that were placed by then keep their pose.'

type NewRun = {
  id: string
  userId: string
  reqId: string
  plan: Plan
  structure: PlannedStructure
}

/** In the transaction that creates the order. */
export async function createRun(trx: Trx, run: NewRun): Promise<void> {
  const { id, userId, plan, structure } = run
  await trx
    .insertInto('structure_runs')
    .values({
      order_id: id,
      user_id: userId,
      status: 'QUEUED',
      total: plan.total,
      weights: JSON.stringify(structure.weights),
      own_ligands: JSON.stringify(ownLigandsOf(structure)),
      anchors: JSON.stringify(anchorsOf(run)),
      request_id: run.reqId,
    })
    .execute()
  const rows = plan.targets.flatMap((_, place) =>
    cut(plan.rows).map(({ firstRow, rows: some }, block) => ({
      order_id: id,
      place,
      block,
      job_id: randomUUID(),
      user_id: userId,
      reference: structure.ligands[place]?.reference ?? '',
      status: 'WAITING' as const,
      first_row: firstRow,
      rows: some.length,
      usable: some.filter(({ standard }) => standard !== null).length,
    })),
  )
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const part = rows.slice(from, from + ROWS_PER_INSERT)
    await trx.insertInto('structure_blocks').values(part).execute()
  }
}

function anchorsOf({ plan, structure }: NewRun): string[] {
  if (structure.weights.difference === undefined) return []
  return chooseAnchors(plan.rows.flatMap(({ standard }) => standard ?? []))
}

/** Keyed by the position of the target. */
function ownLigandsOf({ ligands }: PlannedStructure): Record<string, string> {
  return Object.fromEntries(
    ligands.flatMap(({ own }, place) => (own === null ? [] : [[String(place), own]])),
  )
}

function cut(rows: InputRow[]): { firstRow: number; rows: InputRow[] }[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_PER_BLOCK) }, (_, at) => ({
    firstRow: at * ROWS_PER_BLOCK,
    rows: rows.slice(at * ROWS_PER_BLOCK, (at + 1) * ROWS_PER_BLOCK),
  }))
}

/** In the transaction that ends an order's predictions: queues its poses after those of the user's other screens. */
export async function startRun(
  { queue, signals }: { queue: BlockQueue; signals: Pick<Signals, 'tell'> },
  trx: Trx,
  orderId: string,
): Promise<void> {
  const run = await trx
    .selectFrom('structure_runs')
    .select(['user_id as userId', 'request_id as reqId'])
    .where('order_id', '=', orderId)
    .where('status', '=', 'QUEUED')
    .executeTakeFirst()
  if (run === undefined) return
  const { first } = await trx
    .selectFrom('structure_blocks')
    .innerJoin('structure_runs as runs', 'runs.order_id', 'structure_blocks.order_id')
    .select(
      sql<number>`greatest(coalesce(min(turn), 0),
        coalesce(max(turn) filter (where structure_blocks.user_id = ${run.userId}) + 1, 0))`.as(
        'first',
      ),
    )
    .where('structure_blocks.status', '=', 'WAITING')
    .where('runs.status', '=', 'RUNNING')
    .executeTakeFirstOrThrow()
  const { rows: jobs } = await sql<{ id: string; turn: number }>`
    update structure_blocks set turn = ${first}::int + numbered.at
    from (select job_id, row_number() over (order by place, block)::int - 1 as at
      from structure_blocks where order_id = ${orderId} and status = 'WAITING') as numbered
    where structure_blocks.job_id = numbered.job_id
    returning structure_blocks.job_id as id, turn`.execute(trx)
  await trx
    .updateTable('structure_runs')
    .set({ status: 'RUNNING' })
    .where('order_id', '=', orderId)
    .execute()
  const queued = jobs.map((job) => ({ ...job, lane: 'structure' as const }))
  await queue.add(trx, queued, run.reqId)
  await signals.tell(trx, NEW_WORK)
}

/** In the caller's transaction, under the lock of the user's orders. A run that has ended does not change. */
export async function cancelRun(
  trx: Trx,
  queue: BlockQueue,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  const run = await trx
    .updateTable('structure_runs')
    .set({ status: 'FAILED', message: cancelMessage })
    .where('order_id', '=', id)
    .where('user_id', '=', userId)
    .where('status', 'in', ['QUEUED', 'RUNNING'])
    .returning('order_id')
    .executeTakeFirst()
  if (run === undefined) return
  const waiting = await trx
    .updateTable('structure_blocks')
    .set({ status: 'CANCELLED' })
    .where('order_id', '=', id)
    .where('status', '=', 'WAITING')
    .returning('job_id')
    .execute()
  await queue.cancel(
    trx,
    waiting.map(({ job_id }) => job_id),
  )
}
