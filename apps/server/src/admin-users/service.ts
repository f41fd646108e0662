/** What administrators do to users. Each deed and its entry in the audit log happen together or not at all. */
import { type AdminUser, type CreateUser, messages, type UpdateUser } from '@pkdex/contract'
import type { z } from 'zod'
import { recordAction } from '#server/admin-database/audit.ts'
import { noteFirstCredits, setCredits } from '#server/credits/service.ts'
import type { Database, Trx } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import { deleteJobsOf } from '#server/predictions/queue.ts'
import { forgetPictures } from '#server/previews/service.ts'
import type { Deed } from './deed.ts'
import { revokeKeys } from './keys.ts'
import {
  changeUser,
  deleteUser,
  findUser,
  insertUser,
  isTaken,
  lockUser,
  reserve,
  toAdminUser,
  type UserChange,
  type UserRow,
} from './store.ts'

export async function readUser(db: Database, userId: string): Promise<AdminUser> {
  const user = await findUser(db, userId)
  if (user === undefined) throw userNotFound()
  return toAdminUser(user)
}

export async function createUser(
  db: Database,
  { administrator, now }: Omit<Deed, 'userId'>,
  wish: z.output<typeof CreateUser> & { credits: number },
): Promise<AdminUser> {
  const { email, name, credits, is_active } = wish
  const google_id = wish.googleId || null
  return inTransaction(db, async (trx) => {
    await refuseTaken(trx, { email, google_id }, null)
    const user = toAdminUser(
      await insertUser(trx, { email, name, google_id, credits, is_active }, now),
    )
    const first = { userId: user._id, credits, reason: 'administrator' as const }
    await noteFirstCredits(trx, { ...first, actor: administrator })
    const subject = `user ${user._id}`
    await recordAction(trx, { administrator, action: 'create user', subject, after: user, now })
    return user
  })
}

type Wish = z.output<typeof UpdateUser>

export async function updateUser(db: Database, deed: Deed, wish: Wish): Promise<AdminUser> {
  const { administrator, userId, now } = deed
  return inTransaction(db, async (trx) => {
    const row = await lockUser(trx, userId)
    if (row === undefined) throw userNotFound()
    const before = toAdminUser(row)
    const change = changesOf(row, wish)
    await refuseTaken(trx, change, userId)
    await changeUser(trx, userId, change)
    if (wish.credits !== undefined) {
      await setCredits(trx, { userId, credits: wish.credits, actor: administrator })
    }
    if (wish.is_active === false || change.subject === null) await revokeKeys(trx, userId, now)
    const after = await readUser(trx, userId)
    const action = 'update user'
    await recordAction(trx, {
      administrator,
      action,
      subject: `user ${userId}`,
      ...differences(before, after),
      now,
    })
    return after
  })
}

/** Keys, files, pictures, predictions and what waits in the queue go; the ledger stays, without the name. */
export async function removeUser(
  db: Database,
  { administrator, userId, now }: Deed,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // Before the user: in the order in which a worker that ends a task takes hold of them.
    await deleteJobsOf(trx, userId)
    await forgetPictures(trx, userId)
    const user = await deleteUser(trx, userId)
    if (user === undefined) throw userNotFound()
    await recordAction(trx, {
      administrator,
      action: 'delete user',
      subject: `user ${userId}`,
      before: toAdminUser(user),
      now,
    })
  })
}

export function userNotFound(): AppError {
  return new AppError('not_found', messages.admin.userNotFound)
}

/**
 * Another Google ID is another person's: whoever is linked now is let go, keys and all, and the next sign-in with
 * the new one, or with the e-mail where there is none, is linked.
 */
function changesOf(row: UserRow & { subject: string | null }, wish: Wish): UserChange {
  const { email, name, is_active } = wish
  const google_id = wish.googleId === undefined ? undefined : wish.googleId || null
  const wanted: UserChange = { email, name, is_active, google_id }
  const fields = ['email', 'name', 'is_active', 'google_id'] as const
  const changed = fields.filter(
    (field) => wanted[field] !== undefined && wanted[field] !== row[field],
  )
  const change = Object.fromEntries(changed.map((field) => [field, wanted[field]]))
  if (!changed.includes('google_id') || row.subject === null) return change
  // Free to be linked again, and so no other free one may have the same e-mail.
  return { email: row.email, ...change, issuer: null, subject: null }
}

/** E-mails differ in more than capitals, Google IDs in anything. */
async function refuseTaken(
  trx: Trx,
  { email, google_id }: { email?: string | undefined; google_id?: string | null | undefined },
  userId: string | null,
): Promise<void> {
  if (email !== undefined) {
    await reserve(trx, email.toLowerCase())
    if (await isTaken(trx, { email }, userId)) {
      throw new AppError('conflict', `There is a user with the e-mail ${email} already.`)
    }
  }
  if (google_id) {
    await reserve(trx, google_id)
    if (await isTaken(trx, { googleId: google_id }, userId)) {
      throw new AppError('conflict', 'There is a user with this Google ID already.')
    }
  }
}

type Fields = Record<string, unknown>

function differences(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((field) => before[field] !== after[field])
  const pick = (from: Fields) => Object.fromEntries(changed.map((field) => [field, from[field]]))
  return { before: pick(before), after: pick(after) }
}
