/** One thing done to several users: all of them are changed, with their entries in ledger and audit log, or none. */
import { CREDITS_MAX } from '@pkdex/contract'
import { type AdminActionContext, recordActions } from '#server/audit/service.ts'
import { addCredits } from '#server/credits/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { doOnce } from './once.ts'
import { lockUsers, type UserRow } from './store.ts'
import { revokeKeysOf } from './user-keys.ts'

type CreditsOrder = { userIds: string[]; delta: number; note: string; key: string | null }

type Balances = { users: { _id: string; credits: number }[] }

/** Under the same key it answers the same, and credits nobody again. */
export async function changeCreditsOf(
  db: Database,
  context: AdminActionContext,
  { userIds, delta, note, key }: CreditsOrder,
): Promise<Balances> {
  const request = { userIds, delta, note }
  const outcome = await doOnce<Balances>(db, {
    ...context,
    key,
    request,
    work: async (trx) => {
      const users = await findAll(trx, userIds)
      refuseImpossible(users, delta)
      const changes = users.map(({ id }) => ({ userId: id, delta, note }))
      const balances = await creditNoted(trx, context, { users, changes })
      return { users: users.map(({ id }) => ({ _id: id, credits: balances.get(id) ?? 0 })) }
    },
  })
  // What was kept is what an earlier call answered.
  if ('earlier' in outcome) return outcome.earlier.answer as Balances
  return outcome.done ?? { users: [] }
}

/** Changes balances of users that are locked, and notes it of each. */
export async function creditNoted(
  trx: Trx,
  context: AdminActionContext,
  { users, changes }: { users: UserRow[]; changes: Parameters<typeof addCredits>[1] },
): Promise<Map<string, number>> {
  const balances = await addCredits(trx, changes, context.administrator)
  if (balances === null) throw new AppError('conflict', 'A balance does not reach for this.')
  const before = new Map(users.map(({ id, credits }) => [id, credits]))
  const done = changes.map(({ userId, note }) => ({
    ...context,
    action: 'change credits',
    subject: `user ${userId}`,
    before: { credits: before.get(userId) },
    after: { credits: balances.get(userId), ...(note !== '' && { note }) },
  }))
  await recordActions(trx, done)
  return balances
}

/** A sentence that says why a balance cannot be changed by so much; null where it can. */
export function whyNotChanged(credits: number, delta: number): string | null {
  const after = credits + delta
  const balance = credits.toLocaleString('en')
  if (after < 0) return `The balance is ${balance}, and ${-delta} cannot be taken from it.`
  if (after > CREDITS_MAX) return `The balance is ${balance}, and would become too large.`
  return null
}

export function changeStatusOf(
  db: Database,
  context: AdminActionContext,
  { userIds, isActive }: { userIds: string[]; isActive: boolean },
): Promise<{ changed: number }> {
  return inTransaction(db, async (trx) => {
    const users = await findAll(trx, userIds)
    const changed = users.filter(({ is_active }) => is_active !== isActive).map(({ id }) => id)
    if (changed.length === 0) return { changed: 0 }
    await trx.updateTable('users').set({ is_active: isActive }).where('id', 'in', changed).execute()
    if (!isActive) await revokeKeysOf(trx, changed, context.now)
    const done = changed.map((id) => ({
      ...context,
      action: 'update user',
      subject: `user ${id}`,
      before: { is_active: !isActive },
      after: { is_active: isActive },
    }))
    await recordActions(trx, done)
    return { changed: changed.length }
  })
}

async function findAll(trx: Trx, userIds: string[]): Promise<UserRow[]> {
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  const users = await lockUsers(trx, ids)
  if (users.length === ids.length) return users
  const missing = ids.length - users.length
  const who = missing === 1 ? 'One of these users is' : `${missing} of these users are`
  throw new AppError('not_found', `${who} not there any more. Nothing was changed.`)
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
    `Nothing was changed, because it is not possible for ${who}. ${whyNotChanged(first.credits, delta)}`,
  )
}
