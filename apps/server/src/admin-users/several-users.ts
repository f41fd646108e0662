/** Changes several users in one step, with their entries in the ledger and the audit log: all or none. */
import { CREDITS_MAX } from '@pkdex/contract'
import { type AdminActionContext, recordAction } from '#server/audit/service.ts'
import { addCredits } from '#server/credits/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { doOnce } from './once.ts'
import { lockUsers, type UserRow } from './store.ts'
import { revokeKeysOf } from './user-keys.ts'

/** Either `delta`, to be added to each balance, or `credits`, the new balance of each. */
type Amount = { delta?: number | undefined; credits?: number | undefined }

type CreditsOrder = Amount & { userIds: string[]; note: string; key: string | null }

type Balances = { users: { _id: string; credits: number }[] }

/** Repeating it with the same key returns the same response and changes no more credits. */
export async function changeCreditsOf(
  db: Database,
  context: AdminActionContext,
  { userIds, delta, credits, note, key }: CreditsOrder,
): Promise<Balances> {
  const amount = credits === undefined ? { delta } : { credits }
  const outcome = await doOnce<Balances>(db, {
    ...context,
    key,
    request: { userIds, ...amount, note },
    work: async (trx) => {
      const users = await findAll(trx, userIds)
      if (delta !== undefined) refuseImpossible(users, delta)
      const changes = users
        .map((user) => ({ userId: user.id, delta: deltaOf(user, amount), note }))
        .filter((change) => change.delta !== 0)
      const balances = await creditAll(trx, context, changes)
      const changed = users.filter(({ id }) => balances.has(id))
      await recordCredits(trx, context, { changed, balances, amount, note })
      return {
        users: users.map(({ id, credits: old }) => ({ _id: id, credits: balances.get(id) ?? old })),
      }
    },
  })
  // A stored response of an earlier request.
  if ('earlier' in outcome) return outcome.earlier.answer as Balances
  return outcome.done ?? { users: [] }
}

function deltaOf(user: UserRow, { delta = 0, credits }: Amount): number {
  return credits === undefined ? delta : credits - user.credits
}

type Credited = {
  /** The users before the change. */
  changed: UserRow[]
  balances: Map<string, number>
  amount: Amount
  note: string
}

async function recordCredits(
  trx: Trx,
  context: AdminActionContext,
  { changed, balances, amount, note }: Credited,
): Promise<void> {
  const [first] = changed
  if (first === undefined) return
  const noted = note !== '' && { note }
  await recordAction(trx, {
    ...context,
    action: 'change credits',
    ...(changed.length === 1
      ? {
          subject: `user ${first.id}`,
          before: { credits: first.credits },
          after: { credits: balances.get(first.id), ...noted },
        }
      : severalOf(changed, { ...amount, ...noted })),
  })
}

/** Changes balances of locked users. */
export async function creditAll(
  trx: Trx,
  { administrator }: AdminActionContext,
  changes: Parameters<typeof addCredits>[1],
): Promise<Map<string, number>> {
  const balances = await addCredits(trx, changes, administrator)
  if (balances === null) throw new AppError('conflict', 'At least one user has too few credits.')
  return balances
}

/** The audit entry of one action on several users; the ledger has each balance. */
export function severalOf(
  users: Pick<UserRow, 'id' | 'email'>[],
  done: Record<string, unknown>,
): Pick<Parameters<typeof recordAction>[1], 'subject' | 'after'> {
  const [ids, emails] = [users.map(({ id }) => id), users.map(({ email }) => email)]
  return { subject: `${users.length} users`, after: { ...done, count: users.length, emails, ids } }
}

/** Why a balance cannot be changed by this amount; null if it can. */
export function whyNotChanged(credits: number, delta: number): string | null {
  const after = credits + delta
  const balance = credits.toLocaleString('en')
  if (after < 0) {
    return `The balance is ${balance}; ${(-delta).toLocaleString('en')} cannot be removed.`
  }
  if (after > CREDITS_MAX) return `The balance is ${balance}; the result would exceed the maximum.`
  return null
}

export function changeStatusOf(
  db: Database,
  context: AdminActionContext,
  { userIds, isActive }: { userIds: string[]; isActive: boolean },
): Promise<{ changed: number }> {
  return inTransaction(db, async (trx) => {
    const users = await findAll(trx, userIds)
    const changed = users.filter(({ is_active }) => is_active !== isActive)
    const [first] = changed
    if (first === undefined) return { changed: 0 }
    const ids = changed.map(({ id }) => id)
    await trx.updateTable('users').set({ is_active: isActive }).where('id', 'in', ids).execute()
    if (!isActive) await revokeKeysOf(trx, ids, context.now)
    const after = { is_active: isActive }
    await recordAction(trx, {
      ...context,
      action: 'update user',
      before: { is_active: !isActive },
      ...(changed.length === 1
        ? { subject: `user ${first.id}`, after }
        : severalOf(changed, after)),
    })
    return { changed: changed.length }
  })
}

async function findAll(trx: Trx, userIds: string[]): Promise<UserRow[]> {
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const users = await lockUsers(trx, ids)
  if (users.length === ids.length) return users
  const missing = ids.length - users.length
  const who = missing === 1 ? '1 user no longer exists' : `${missing} users no longer exist`
  throw new AppError('not_found', `${who}. Nothing was changed.`)
}

const NAMED_MAX = 3

function refuseImpossible(users: UserRow[], delta: number): void {
  const refused = users.filter(({ credits }) => whyNotChanged(credits, delta) !== null)
  const [first] = refused
  if (first === undefined) return
  const named = refused.slice(0, NAMED_MAX).map(({ email }) => email)
  const others = refused.length - named.length
  const who = named.join(', ') + (others > 0 ? ` and ${others} more` : '')
  throw new AppError(
    'conflict',
    `Nothing was changed. Not possible for ${who}: ${whyNotChanged(first.credits, delta)}`,
  )
}
