/** Old single predictions, written directly into the database. */
import { randomUUID } from 'node:crypto'
import type { PredictionResult } from '@pkdex/contract'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { CELL_BYTES, cellOf, writeCell } from '#server/predictions/cells.ts'
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
  await db.insertInto('orders').values(orders).execute()
  const place = { place: 0, user_id: userId, name: '', chain: 'A', segments: '[]' }
  const targets = keys.map(({ id, key }) => ({ ...place, order_id: id, key }))
  await db.insertInto('order_targets').values(targets).execute()
  const blocks = keys.map(({ id, compound }) => {
    const of = { user_id: userId, order_id: id, job_id: id, compound_keys: compound }
    return { ...blockOf(task), ...of, model_version: task.result?.model_version ?? 'test-1' }
  })
  await db.insertInto('blocks').values(blocks).execute()
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
  const [id, nothing] = [randomUUID(), Buffer.alloc(0)]
  const order = { ...orderOf(task), id, user_id: userId, kind: 'screen' as const }
  await db.insertInto('orders').values(order).execute()
  const { model_version } = order
  const of = { ...blockOf(task), user_id: userId, order_id: id, model_version }
  const blocks = predicted.map((count, block) => {
    return { ...of, job_id: randomUUID(), block, predicted: count, compound_keys: nothing }
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

function blockOf({ result }: OldTask) {
  const cells = Buffer.alloc(CELL_BYTES)
  if (result !== null) writeCell(cells, 0, cellOf(result))
  const status = result === null ? ('FAILED' as const) : ('DONE' as const)
  const size = { block: 0, first_row: 0, rows: 1, usable: 1, is_small: true, predicted: 1 }
  return { ...size, status, turn: 0, done_after: 1, compounds: Buffer.alloc(0), cells, free: null }
}
