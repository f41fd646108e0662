/**
 * Every change of a balance: in the caller's transaction, never below zero, and with a row in the
 * append-only ledger that says why.
 */
import { sql } from 'kysely'
import type { Database, LedgerReason, Trx } from '#server/platform/db/schema.ts'

export async function readBalance(db: Database, userId: string): Promise<number> {
  const user = await db
    .selectFrom('users')
    .select('credits')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.credits ?? 0
}

/** `taskId`: the task or the screen that is paid for. */
type Charge = { userId: string; amount: number; reason: 'prediction' | 'screen'; taskId: string }

/** Answers the new balance, or null where the balance does not reach: then nothing has changed. */
export async function takeCredits(trx: Trx, charge: Charge): Promise<number | null> {
  const { userId, amount, reason, taskId } = charge
  return changeCredits(trx, { userId, delta: -amount, reason, taskId, actor: 'user' })
}

type Refund = {
  userId: string
  amount: number
  taskId: string
  reason?: 'refund' | 'screen refund'
}

/** Gives credits of a task or a screen back. The second refund of it changes nothing and answers null. */
export async function refundCredits(trx: Trx, refund: Refund): Promise<number | null> {
  const { userId, amount, taskId, reason = 'refund' } = refund
  const user = await lockBalance(trx, userId)
  if (user === undefined || (await isRefunded(trx, taskId, reason))) return null
  return changeCredits(trx, { userId, delta: amount, reason, taskId, actor: 'server' })
}

/** Makes the balance what an administrator wants it to be; the ledger gets the difference. */
export async function setCredits(
  trx: Trx,
  { userId, credits, actor }: { userId: string; credits: number; actor: string },
): Promise<number | null> {
  const user = await lockBalance(trx, userId)
  if (user === undefined) return null
  const delta = credits - user.credits
  if (delta === 0) return credits
  return changeCredits(trx, { userId, delta, reason: 'administrator', taskId: null, actor })
}

/** The first row of a new user, whose balance was set when the user was made. */
export async function noteFirstCredits(
  trx: Trx,
  first: { userId: string; credits: number; reason: LedgerReason; actor: string },
): Promise<void> {
  const { userId, credits, reason, actor } = first
  const change = { userId, delta: credits, reason, taskId: null, actor }
  if (credits > 0) await appendRow(trx, change, credits)
}

export type NotedChange = { userId: string; delta: number; note: string }

/**
 * Adds to balances, or takes away, a user once: all of them, or null where one does not reach, and the caller
 * has to undo. Answers the new balances.
 */
export async function addCredits(
  trx: Trx,
  changes: NotedChange[],
  actor: string,
): Promise<Map<string, number> | null> {
  if (changes.length === 0) return new Map()
  const { rows } = await sql<{ id: string; credits: number }>`
    update users set credits = credits + change.delta
    from unnest(${changes.map(({ userId }) => userId)}::uuid[],
      ${changes.map(({ delta }) => String(delta))}::numeric[]) as change (id, delta)
    where users.id = change.id and credits + change.delta >= 0
    returning users.id, credits`.execute(trx)
  if (rows.length < changes.length) return null
  const balances = new Map(rows.map(({ id, credits }) => [id, credits]))
  const entries = changes.map(({ userId, delta, note }) => ({
    user_id: userId,
    delta,
    balance_after: balances.get(userId) ?? 0,
    reason: 'administrator' as const,
    task_id: null,
    actor,
    note,
    created_at: sql<Date>`clock_timestamp()`,
  }))
  await trx.insertInto('ledger').values(entries).execute()
  return balances
}

type Change = {
  userId: string
  delta: number
  reason: LedgerReason
  taskId: string | null
  actor: string
}

async function changeCredits(trx: Trx, change: Change): Promise<number | null> {
  const changed = await trx
    .updateTable('users')
    .set({ credits: sql`credits + ${change.delta}::numeric` })
    .where('id', '=', change.userId)
    .where(sql<boolean>`credits + ${change.delta}::numeric >= 0`)
    .returning('credits')
    .executeTakeFirst()
  if (changed === undefined) return null
  await appendRow(trx, change, changed.credits)
  return changed.credits
}

async function appendRow(trx: Trx, change: Change, balanceAfter: number): Promise<void> {
  await trx
    .insertInto('ledger')
    .values({
      user_id: change.userId,
      delta: change.delta,
      balance_after: balanceAfter,
      reason: change.reason,
      task_id: change.taskId,
      actor: change.actor,
      created_at: sql`clock_timestamp()`,
    })
    .execute()
}

/** Two refunds of one task wait for each other here, so that the second one sees the first. */
function lockBalance(trx: Trx, userId: string) {
  return trx
    .selectFrom('users')
    .select('credits')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

async function isRefunded(trx: Trx, taskId: string, reason: LedgerReason): Promise<boolean> {
  const refund = await trx
    .selectFrom('ledger')
    .select('id')
    .where('task_id', '=', taskId)
    .where('reason', '=', reason)
    .executeTakeFirst()
  return refund !== undefined
}
