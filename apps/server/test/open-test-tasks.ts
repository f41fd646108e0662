/** Old single predictions, written directly into the database. */
import { randomUUID } from 'node:crypto'
import type { PredictionResult } from '@pkdex/contract'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { resultOf } from './open-test-grid.ts'
import { hash } from './open-test-library.ts'

type OldTask = {
  at: Date
  /** Null if it failed. */
  result: PredictionResult | null
  targetId: string | null
  compoundId: string | null
  message: string | null
  /** 0 if the pair was already predicted. */
  credits: number
}

/** All have one timestamp; without ids of target and compound these were deleted. Returns the ids of the tasks. */
export async function addOldTasks(
  db: OpenDatabase['db'],
  userId: string,
  count: number,
  of: Partial<OldTask> = {},
): Promise<string[]> {
  const task = { ...unsaid, ...of }
  const ids = Array.from({ length: count }, () => randomUUID())
  const keys = ids.map((id) => ({ id, key: hash(id), compound: hash(id).subarray(0, 8) }))
  const orders = ids.map((id) => ({ ...orderOf(task), id, user_id: userId }))
  const placed = await db.insertInto('orders').values(orders).returning(['id', 'number']).execute()
  const numbers = new Map(placed.map(({ id, number }) => [id, number]))
  const place = { place: 0, user_id: userId, name: '', chain: 'A', segments: '[]' }
  const targets = keys.map(({ id, key }) => ({ ...place, order_id: id, key, sequence_id: 0 }))
  await db.insertInto('order_targets').values(targets).execute()
  const status = task.result === null ? ('FAILED' as const) : ('DONE' as const)
  const blocks = ids.map((id) => ({
    ...ended,
    status,
    user_id: userId,
    order_id: id,
    job_id: id,
  }))
  await db.insertInto('blocks').values(blocks).execute()
  const input = { row: 0, block: 0, name: '', smiles: '', standard: null, reason: null }
  const rows = keys.map(({ id, compound }) => ({
    ...input,
    order_number: numbers.get(id) ?? 0,
    compound_key: compound,
  }))
  await db.insertInto('order_rows').values(rows).execute()
  const { result } = task
  if (result === null) return ids
  const readings = keys.map(({ key, compound }) => ({
    user_id: userId,
    sequence_key: key,
    compound_key: compound,
    model_version: result.model_version,
    result: JSON.stringify(result),
    predicted_at: task.at,
  }))
  await db.insertInto('readings').values(readings).execute()
  return ids
}

/** A screen with this many predictions in each block. */
export async function addOldScreen(
  db: OpenDatabase['db'],
  userId: string,
  { at, predicted }: { at: Date; predicted: number[] },
): Promise<void> {
  const task = { ...unsaid, at }
  const id = randomUUID()
  const order = { ...orderOf(task), id, user_id: userId, kind: 'screen' as const }
  await db.insertInto('orders').values(order).execute()
  const blocks = predicted.map((count, block) => {
    return {
      ...ended,
      user_id: userId,
      order_id: id,
      job_id: randomUUID(),
      block,
      predicted: count,
    }
  })
  await db.insertInto('blocks').values(blocks).execute()
}

const unsaid: OldTask = {
  at: new Date(0),
  result: resultOf(7),
  targetId: null,
  compoundId: null,
  message: null,
  credits: 1,
}

function orderOf({ at, result, targetId, compoundId, message, credits }: OldTask) {
  const isDone = result !== null
  return {
    kind: 'single' as const,
    status: isDone ? ('DONE' as const) : ('FAILED' as const),
    idempotency_key: null,
    request_hash: null,
    target_id: targetId,
    compound_id: compoundId,
    targets: 1,
    compounds: 1,
    total: 1,
    done: 1,
    failed: isDone ? 0 : 1,
    known: 0,
    paid: 1,
    credits_per_pair: 1,
    credits_charged: isDone ? credits : 0,
    bytes: 0,
    model_version: result?.model_version ?? 'test-1',
    message,
    created_at: at,
    started_at: at,
    finished_at: at,
  }
}

const ended = {
  block: 0,
  first_row: 0,
  rows: 1,
  usable: 1,
  is_small: true,
  status: 'DONE' as const,
  predicted: 1,
  turn: 0,
  done_after: 1,
}
