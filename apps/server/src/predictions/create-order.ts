/** Writes an order with its targets and blocks, and queues the blocks that need predicting. */
import { sql } from 'kysely'
import type { OrdersTable, Trx } from '#server/platform/db/schema.ts'
import { type CutBlock, type FilledBlock, packKeys } from './blocks.ts'
import { CELL_BYTES } from './cells.ts'
import { COMPOUND_KEY_BYTES } from './pair-key.ts'
import type { Plan } from './plan.ts'
import { isSmall, NEW_WORK } from './queue.ts'
import type { SettleDependencies } from './settle.ts'
import type { PlannedStructure } from './structure-order.ts'

export type NewOrder = {
  userId: string
  kind: OrdersTable['kind']
  idempotencyKey: string | null
  requestHash: Buffer | null
  reqId: string
  plan: Plan
  cut: CutBlock[]
  /** The screen that it follows up. */
  followUpOf?: string
  /** Set if its compounds are also placed in a pocket. */
  structure?: PlannedStructure
  /** Target and compound of a single prediction. */
  of?: { targetId: string; compoundId: string }
}

/** An order that has been paid for. */
export type PaidOrder = Omit<NewOrder, 'cut'> & {
  id: string
  blocks: FilledBlock[]
  paid: number
  creditsPerPair: number
  creditsCharged: number
  modelVersion: string
  message: string | null
}

export async function createOrder(
  { queue, signals, now }: SettleDependencies,
  trx: Trx,
  order: PaidOrder,
): Promise<void> {
  const { id, userId, plan, blocks } = order
  const width = plan.targets.length
  const ended = blocks.filter(({ isDone }) => isDone)
  const waiting = blocks.filter(({ isDone }) => !isDone)
  const done = ended.reduce((sum, { usable }) => sum + usable * width, 0)
  const createdAt = now()
  await trx
    .insertInto('orders')
    .values({
      id,
      user_id: userId,
      kind: order.kind,
      screen_id: order.followUpOf ?? null,
      idempotency_key: order.idempotencyKey,
      request_hash: order.requestHash,
      status: waiting.length === 0 ? 'DONE' : 'QUEUED',
      target_id: order.of?.targetId ?? null,
      compound_id: order.of?.compoundId ?? null,
      targets: width,
      compounds: plan.rows.length,
      total: plan.total,
      done,
      known: plan.total - order.paid,
      paid: order.paid,
      credits_per_pair: order.creditsPerPair,
      credits_charged: order.creditsCharged,
      bytes: bytesOfBlocks(blocks, width),
      model_version: order.modelVersion,
      message: order.message,
      created_at: createdAt,
      started_at: null,
      finished_at: waiting.length === 0 ? createdAt : null,
    })
    .execute()
  await addTargets(trx, order)
  const jobs = await planJobs(trx, order, waiting)
  await addBlocks(trx, order, jobs)
  await queue.add(trx, [...jobs.values()], order.reqId)
  if (jobs.size > 0) await signals.tell(trx, NEW_WORK)
}

export function bytesOfBlocks(blocks: CutBlock[], width: number): number {
  const cellBytes = COMPOUND_KEY_BYTES + width * CELL_BYTES
  return blocks.reduce(
    (sum, { compounds, rows }) => sum + compounds.length + rows.length * cellBytes,
    0,
  )
}

/** Rows per statement. Few statements, because each occupies the one embedded connection. */
const ROWS_PER_INSERT = 500

async function addTargets(trx: Trx, { id, userId, plan }: PaidOrder): Promise<void> {
  const rows = plan.targets.map(({ name, chain, segments, key }, place) => ({
    order_id: id,
    place,
    user_id: userId,
    name,
    chain,
    segments: JSON.stringify(segments),
    key,
  }))
  for (const part of chunked(rows)) await trx.insertInto('order_targets').values(part).execute()
}

type Job = { id: string; turn: number; lane: 'small' | 'large' }

/**
 * Users take turns, block by block. A new order starts at the current turn, behind the user's own blocks, so it does not
 * wait until another user's whole order is done, nor overtake it for long.
 */
async function planJobs(
  trx: Trx,
  { userId, kind, plan }: PaidOrder,
  blocks: FilledBlock[],
): Promise<Map<string, Job>> {
  const jobs = new Map<string, Job>()
  // Nobody waits on a page for predictions of measured compounds, so they must not delay a single prediction.
  const byLane = Map.groupBy(blocks, ({ rows }) =>
    kind !== 'measurement' && isSmall(rows.length * plan.targets.length) ? 'small' : 'large',
  )
  for (const [lane, some] of byLane) {
    const first = await nextTurn(trx, userId, lane === 'small')
    for (const [place, { jobId }] of some.entries()) {
      jobs.set(jobId, { id: jobId, turn: first + place, lane })
    }
  }
  return jobs
}

async function addBlocks(
  trx: Trx,
  { id, userId, blocks, modelVersion }: PaidOrder,
  jobs: Map<string, Job>,
): Promise<void> {
  const rows = blocks.map((block, place) => ({
    order_id: id,
    block: place,
    job_id: block.jobId,
    user_id: userId,
    status: block.isDone ? ('DONE' as const) : ('WAITING' as const),
    first_row: block.firstRow,
    rows: block.rows.length,
    usable: block.usable,
    is_small: jobs.get(block.jobId)?.lane === 'small',
    turn: jobs.get(block.jobId)?.turn ?? 0,
    done_after: block.isDone ? 0 : null,
    compounds: block.compounds,
    compound_keys: packKeys(block.keys),
    cells: block.cells,
    model_version: modelVersion,
    free: block.free,
  }))
  for (const part of chunked(rows)) await trx.insertInto('blocks').values(part).execute()
}

function chunked<Row>(rows: Row[]): Row[][] {
  const parts = Math.ceil(rows.length / ROWS_PER_INSERT)
  return Array.from({ length: parts }, (_, part) =>
    rows.slice(part * ROWS_PER_INSERT, (part + 1) * ROWS_PER_INSERT),
  )
}

async function nextTurn(trx: Trx, userId: string, isSmallLane: boolean): Promise<number> {
  const { now, own } = await trx
    .selectFrom('blocks')
    .select([
      sql<number>`coalesce(min(turn), 0)`.as('now'),
      sql<number>`coalesce(max(turn) filter (where user_id = ${userId}) + 1, 0)`.as('own'),
    ])
    .where('status', '=', 'WAITING')
    .where('is_small', '=', isSmallLane)
    .executeTakeFirstOrThrow()
  return Math.max(now, own)
}
