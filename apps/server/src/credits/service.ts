/** Changes balances: in the caller's transaction, never below zero, and with a row in the append-only ledger. */
import { sql } from 'kysely'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'

export async function readBalance(db: Database, userId: string): Promise<number> {
  const user = await db
    .selectFrom('users')
    .select('credits')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.credits ?? 0
}

/** For the header, which asks often: news are read only if there may be some. */
export async function readHeader(
  db: Database,
  userId: string,
): Promise<{ credits: number; has_news: boolean }> {
  const user = await db
    .selectFrom('users')
    .select('credits')
    .select(sql<boolean>`exists (select from news where user_id = users.id)`.as('has_news'))
    .where('id', '=', userId)
    .executeTakeFirst()
  return user ?? { credits: 0, has_news: false }
}

type LedgerReason = Tables['ledger']['reason']

/** `taskId`: the task or screen that is charged. */
type Charge = { userId: string; amount: number; reason: 'prediction' | 'screen'; taskId: string }

/** Returns the new balance, or null if the balance is too low: then nothing has changed. */
export async function takeCredits(trx: Trx, charge: Charge): Promise<number | null> {
  const { userId, amount, reason, taskId } = charge
  return changeOne(trx, { userId, delta: -amount, reason, taskId, actor: 'user' })
}

type Refund = {
  userId: string
  amount: number
  taskId: string
  reason?: 'refund' | 'screen refund'
}

/** Refunds a task or a screen. A second refund changes nothing and returns null. */
export async function refundCredits(trx: Trx, refund: Refund): Promise<number | null> {
  const { userId, amount, taskId, reason = 'refund' } = refund
  const user = await lockBalance(trx, userId)
  if (user === undefined || (await isRefunded(trx, taskId, reason))) return null
  return changeOne(trx, { userId, delta: amount, reason, taskId, actor: 'server' })
}

/** Sets the balance; the ledger gets the difference. */
export async function setCredits(
  trx: Trx,
  { userId, credits, actor }: { userId: string; credits: number; actor: string },
): Promise<number | null> {
  const user = await lockBalance(trx, userId)
  if (user === undefined) return null
  const delta = credits - user.credits
  if (delta === 0) return credits
  return changeOne(trx, { userId, delta, reason: 'administrator', taskId: null, actor })
}

/** The first ledger row of a new user, who was created with this balance. */
export async function noteFirstCredits(
  trx: Trx,
  first: { userId: string; credits: number; reason: LedgerReason; actor: string },
): Promise<void> {
  const { userId, credits, reason, actor } = first
  const change = { userId, delta: credits, reason, taskId: null, actor }
  if (credits > 0) await appendRows(trx, [change], new Map([[userId, credits]]))
}

export type NotedChange = { userId: string; delta: number; note: string }

/** Adds or removes credits, with the rules of `changeBalances`. */
export function addCredits(
  trx: Trx,
  changes: NotedChange[],
  actor: string,
): Promise<Map<string, number> | null> {
  const by = { reason: 'administrator', taskId: null, actor } as const
  return changeBalances(
    trx,
    changes.map((change) => ({ ...change, ...by })),
  )
}

type Change = {
  userId: string
  delta: number
  reason: LedgerReason
  taskId: string | null
  actor: string
  note?: string
}

async function changeOne(trx: Trx, change: Change): Promise<number | null> {
  const balances = await changeBalances(trx, [change])
  return balances?.get(change.userId) ?? null
}

/**
 * The only function that changes balances. Changes each user at most once. Returns the new balances, or null if any
 * balance is too low or its user was deleted: the caller must then roll back, because others may have been changed.
 */
async function changeBalances(trx: Trx, changes: Change[]): Promise<Map<string, number> | null> {
  if (changes.length === 0) return new Map()
  const { rows } = await sql<{ id: string; credits: number }>`
    update users set credits = credits + change.delta
    from unnest(${changes.map(({ userId }) => userId)}::uuid[],
      ${changes.map(({ delta }) => String(delta))}::numeric[]) as change (id, delta)
    where users.id = change.id and credits + change.delta >= 0
    returning users.id, credits`.execute(trx)
  if (rows.length < changes.length) return null
  const balances = new Map(rows.map(({ id, credits }) => [id, credits]))
  await appendRows(trx, changes, balances)
  return balances
}

async function appendRows(
  trx: Trx,
  changes: Change[],
  balances: Map<string, number>,
): Promise<void> {
  const entries = changes.map(({ userId, delta, reason, taskId, actor, note = '' }) => ({
    user_id: userId,
    delta,
    balance_after: balances.get(userId) ?? 0,
    reason,
    task_id: taskId,
    actor,
    note,
    created_at: sql<Date>`clock_timestamp()`,
  }))
  await trx.insertInto('ledger').values(entries).execute()
}

/** Serialises refunds of one task, so that the second sees the first. */
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

/** A page of a user's ledger, newest first. The ledger outlives the user. */
export async function readLedger(
  db: Database,
  userId: string,
  { page, page_size }: { page: number; page_size: number },
) {
  const rows = db.selectFrom('ledger').where('user_id', '=', userId)
  const { total } = await rows
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const entries = await rows
    .select(['id', 'delta', 'balance_after', 'reason', 'actor', 'note', 'created_at'])
    .select((of) =>
      of
        .selectFrom('orders')
        .select('orders.id')
        .whereRef('orders.id', '=', 'task_id')
        .where('kind', 'in', ['screen', 'call'])
        .as('screen_id'),
    )
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return {
    total,
    entries: entries.map(({ id, created_at, ...entry }) => ({
      ...entry,
      id: String(id),
      created_at: created_at.toISOString(),
    })),
  }
}
