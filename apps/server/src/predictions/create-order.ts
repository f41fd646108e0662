/** Writes an order with its targets, rows and blocks, and queues the blocks that need predicting. */
import { sql } from 'kysely'
import { chooseAnchors } from '#server/inference/service.ts'
import type { Tables, Trx } from '#server/platform/db/schema.ts'
import { type CutBlock, cutBlocks, nextTurn } from './blocks.ts'
import { copyKnown } from './order-numbers.ts'
import { compoundKey } from './pair-key.ts'
import type { Plan } from './plan.ts'
import { isSmall, type Lane, NEW_WORK } from './queue.ts'
import type { SettleDependencies } from './settle.ts'
import type { PlannedStructure } from './structure-order.ts'

export type NewOrder = {
  userId: string
  kind: Tables['orders']['kind']
  idempotencyKey: string | null
  requestHash: Buffer | null
  reqId: string
  plan: Plan
  /** The screen that it follows up. */
  followUpOf?: string
  /** Suggested for a screen. */
  name?: string | null
  /** Set if its compounds are also placed in a pocket. */
  structure?: PlannedStructure
  /** Target and compound of a single prediction. */
  of?: { targetId: string; compoundId: string }
}

/** An order that has been paid for. `known`: its distinct pairs with a number. */
export type PaidOrder = NewOrder & {
  id: string
  known: number
  paid: number
  creditsPerPair: number
  creditsCharged: number
  modelVersion: string
  message: string | null
}

/** Returns whether everything is known, so that nothing was queued. */
export async function createOrder(
  { queue, signals, now }: SettleDependencies,
  trx: Trx,
  order: PaidOrder,
): Promise<boolean> {
  const { id, userId, kind, plan, modelVersion } = order
  const width = plan.targets.length
  const createdAt = now()
  const { number } = await trx
    .insertInto('orders')
    .values({
      id,
      user_id: userId,
      kind,
      name: order.name ?? null,
      screen_id: order.followUpOf ?? null,
      idempotency_key: order.idempotencyKey,
      request_hash: order.requestHash,
      status: 'QUEUED',
      target_id: order.of?.targetId ?? null,
      compound_id: order.of?.compoundId ?? null,
      targets: width,
      compounds: plan.rows.length,
      total: plan.total,
      done: 0,
      known: plan.total - order.paid,
      paid: order.paid,
      credits_per_pair: order.creditsPerPair,
      credits_charged: order.creditsCharged,
      bytes: bytesOf(plan),
      model_version: modelVersion,
      message: order.message,
      pose_settings: posesOf(order),
      created_at: createdAt,
      started_at: null,
      finished_at: null,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  await addTargets(trx, order)
  const cut = cutBlocks(plan)
  const blockRows = cut[0]?.rows ?? 1
  await addRows(trx, plan, { number, blockRows })
  if (order.known > 0) {
    await copyKnown(trx, { number, modelVersion, rows: plan.rows.length, targets: width })
  }
  const done = await findKnownBlocks(trx, order, { number, blockRows, cut })
  const waiting = cut.filter(({ jobId }) => !done.has(jobId))
  const jobs = await planJobs(trx, order, waiting)
  await addBlocks(trx, order, { cut, jobs })
  if (done.size > 0) await countKnownBlocks(trx, id, waiting.length === 0 ? createdAt : null)
  await queue.add(trx, [...jobs.values()], order.reqId)
  if (jobs.size > 0) await signals.tell(trx, NEW_WORK)
  return waiting.length === 0
}

/** Null if its compounds are not placed. */
function posesOf({ plan, structure, reqId }: PaidOrder): string | null {
  if (structure === undefined || structure.ligands.every((ligand) => ligand === null)) return null
  const { weights } = structure
  const smiles = plan.rows.flatMap(({ standard }) => standard ?? [])
  const anchors = weights.difference === undefined ? [] : chooseAnchors(smiles)
  return JSON.stringify({ weights, anchors, request_id: reqId })
}

/** Stored bytes per pair, and per row besides its texts, indexes included; measured by `npm run bench`. */
const PAIR_BYTES = 190
const ROW_BYTES = 160

export function bytesOf({ rows, total }: Plan): number {
  const texts = rows.reduce(
    (sum, { name, smiles, standard }) =>
      sum + name.length + smiles.length + (standard ?? '').length,
    0,
  )
  return texts + rows.length * ROW_BYTES + total * PAIR_BYTES
}

/** Rows per statement. Few statements, because each occupies the one embedded connection. */
const ROWS_PER_INSERT = 500

async function addTargets(trx: Trx, { id, userId, plan, structure }: PaidOrder): Promise<void> {
  const keys = plan.targets.map(({ key }) => key)
  await sql`insert into sequences (user_id, key)
    select distinct ${userId}::uuid, key from unnest(${keys}::bytea[]) as given (key)
    on conflict do nothing`.execute(trx)
  const sequences = await trx
    .selectFrom('sequences')
    .select(['id', 'key'])
    .where('user_id', '=', userId)
    .where('key', '=', sql<Buffer>`any(${keys}::bytea[])`)
    .execute()
  const sequenceIds = new Map(
    sequences.map((sequence) => [sequence.key.toString('hex'), sequence.id]),
  )
  const rows = plan.targets.map(({ name, chain, segments, key }, place) => ({
    reference: structure?.ligands[place]?.reference ?? null,
    own_ligand: structure?.ligands[place]?.own ?? null,
    order_id: id,
    place,
    user_id: userId,
    name,
    chain,
    segments: JSON.stringify(segments),
    key,
    sequence_id: sequenceIds.get(key.toString('hex')) ?? 0,
  }))
  for (const part of chunked(rows)) await trx.insertInto('order_targets').values(part).execute()
}

const INPUT_ROWS_PER_INSERT = 2000

async function addRows(
  trx: Trx,
  plan: Plan,
  { number, blockRows }: { number: number; blockRows: number },
): Promise<void> {
  for (let from = 0; from < plan.rows.length; from += INPUT_ROWS_PER_INSERT) {
    const rows = plan.rows.slice(from, from + INPUT_ROWS_PER_INSERT)
    const keys = rows.map(({ standard }) => (standard === null ? null : compoundKey(standard)))
    const flatKeys = plan.keys
      .slice(from, from + INPUT_ROWS_PER_INSERT)
      .map((key) => (key === '' ? null : Buffer.from(key, 'latin1')))
    await sql`insert into order_rows (order_number, row, block, name, smiles, standard, reason, compound_key,
        flat_key)
      select ${number}::int, ${from}::int + at - 1, (${from}::int + at - 1) / ${blockRows}::int, name, smiles, standard, reason, key, flat
      from unnest(${rows.map(({ name }) => name)}::text[], ${rows.map(({ smiles }) => smiles)}::text[],
        ${rows.map(({ standard }) => standard)}::text[], ${rows.map(({ reason }) => reason)}::text[],
        ${keys}::bytea[], ${flatKeys}::bytea[]) with ordinality as given (name, smiles, standard, reason, key, flat, at)`.execute(
      trx,
    )
  }
}

/**
 * Blocks of which every number is known. A single prediction runs anyway, because its panel shows more than the number;
 * and the worker stores the numbers of measured values with the values.
 */
async function findKnownBlocks(
  trx: Trx,
  { kind, plan }: PaidOrder,
  { number, blockRows, cut }: { number: number; blockRows: number; cut: CutBlock[] },
): Promise<Set<string>> {
  if (kind === 'single' || kind === 'measurement') return new Set()
  const { rows } = await sql<{ block: number; pairs: number }>`
    select row / ${blockRows}::int as block, count(*) as pairs from pairs
    where order_number = ${number} group by 1`.execute(trx)
  const pairsOf = new Map(rows.map(({ block, pairs }) => [block, pairs]))
  const width = plan.targets.length
  return new Set(
    cut.flatMap(({ jobId, usable }, block) =>
      (pairsOf.get(block) ?? 0) === usable * width ? [jobId] : [],
    ),
  )
}

/** `endedAt`: set if there are no other blocks. */
async function countKnownBlocks(trx: Trx, id: string, endedAt: Date | null): Promise<void> {
  await sql`update orders set finished_at = ${endedAt}::timestamptz,
      status = case when ${endedAt !== null} then 'DONE' else status end,
      done = (select sum(usable) * orders.targets from blocks where order_id = orders.id and status = 'DONE')
    where id = ${id}`.execute(trx)
}

type Job = { id: string; turn: number; lane: Lane }

/**
 * Users take turns, block by block. A new order starts at the current turn, behind the user's own blocks, so it does not
 * wait until another user's whole order is done, nor overtake it for long.
 */
async function planJobs(
  trx: Trx,
  { userId, kind, plan }: PaidOrder,
  blocks: CutBlock[],
): Promise<Map<string, Job>> {
  const jobs = new Map<string, Job>()
  // Nobody waits on a page for predictions of measured compounds, so they must not delay a single prediction.
  const byLane = Map.groupBy(blocks, ({ rows }) =>
    kind !== 'measurement' && isSmall(rows * plan.targets.length) ? 'small' : 'large',
  )
  for (const [lane, some] of byLane) {
    const first = await nextTurn(trx, userId, lane)
    for (const [place, { jobId }] of some.entries()) {
      jobs.set(jobId, { id: jobId, turn: first + place, lane })
    }
  }
  return jobs
}

async function addBlocks(
  trx: Trx,
  { id, userId }: PaidOrder,
  { cut, jobs }: { cut: CutBlock[]; jobs: Map<string, Job> },
): Promise<void> {
  const rows = cut.map(({ jobId, firstRow, rows: count, usable }, block) => {
    const job = jobs.get(jobId)
    return {
      order_id: id,
      block,
      job_id: jobId,
      user_id: userId,
      status: job === undefined ? ('DONE' as const) : ('WAITING' as const),
      first_row: firstRow,
      rows: count,
      usable,
      lane: job?.lane ?? 'large',
      turn: job?.turn ?? 0,
      done_after: job === undefined ? 0 : null,
    }
  })
  for (const part of chunked(rows)) await trx.insertInto('blocks').values(part).execute()
}

function chunked<Row>(rows: Row[]): Row[][] {
  const parts = Math.ceil(rows.length / ROWS_PER_INSERT)
  return Array.from({ length: parts }, (_, part) =>
    rows.slice(part * ROWS_PER_INSERT, (part + 1) * ROWS_PER_INSERT),
  )
}
