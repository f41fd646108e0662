/** Cuts the rows of a plan into blocks of one job each, with all targets, and tells them their turn. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Trx } from '#server/platform/db/schema.ts'
import type { Plan } from './plan.ts'
import type { Lane } from './queue.ts'

const ROWS_MAX = 256
/** A few seconds of work for one thread: the most that is lost if a worker dies. */
const PAIRS_MAX = 2048

export type CutBlock = {
  jobId: string
  firstRow: number
  rows: number
  /** Rows that can be predicted. */
  usable: number
}

export function cutBlocks({ keys, targets }: Plan): CutBlock[] {
  const size = Math.min(ROWS_MAX, Math.max(1, Math.floor(PAIRS_MAX / targets.length)))
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, block) => {
    const some = keys.slice(block * size, (block + 1) * size)
    const usable = some.filter((key) => key !== '').length
    return { jobId: randomUUID(), firstRow: block * size, rows: some.length, usable }
  })
}

/** Of the next block that a user queues: after the user's own, by turns with those of others. */
export async function nextTurn(trx: Trx, userId: string, lane: Lane): Promise<number> {
  const { now, own } = await waitingIn(trx, lane)
    .select([
      sql<number>`coalesce(min(turn), 0)`.as('now'),
      sql<number>`coalesce(max(turn) filter (where user_id = ${userId}) + 1, 0)`.as('own'),
    ])
    .executeTakeFirstOrThrow()
  return Math.max(now, own)
}

/** Before all blocks that wait. */
export async function firstTurn(trx: Trx, lane: Lane): Promise<number> {
  const { now } = await waitingIn(trx, lane)
    .select(sql<number>`coalesce(min(turn), 0)`.as('now'))
    .executeTakeFirstOrThrow()
  return now - 1
}

function waitingIn(trx: Trx, lane: Lane) {
  return trx.selectFrom('blocks').where('status', '=', 'WAITING').where('lane', '=', lane)
}
