/** Administrator actions on users. Each action and its audit entry happen together or not at all. */
import { type AdminUser, type CreateUser, messages, type UpdateUser } from '@pkdex/contract'
import type { z } from 'zod'
import { type AdminActionContext, recordAction } from '#server/audit/service.ts'
import { rememberCredits } from '#server/auth/deleted-people.ts'
import { noteFirstCredits, setCredits } from '#server/credits/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { forgetJobs } from '#server/predictions/service.ts'
import { forgetShares } from '#server/sharing/service.ts'
import { forgetPictures } from '#server/previews/service.ts'
import { revokeKeys } from './user-keys.ts'
import {
  type AdminUserContext,
  changeUser,
  deleteUser,
  findUser,
  forgetIdentities,
  insertUser,
  isTaken,
  lockUser,
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
  { administrator, now }: AdminActionContext,
  input: z.output<typeof CreateUser> & { credits: number },
): Promise<AdminUser> {
  const { email, name, credits, is_active } = input
  const google_id = input.googleId || null
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

type UserUpdate = z.output<typeof UpdateUser>

export async function updateUser(
  db: Database,
  context: AdminUserContext,
  update: UserUpdate,
): Promise<AdminUser> {
  const { administrator, userId, now } = context
  return inTransaction(db, async (trx) => {
    const row = await lockUser(trx, userId)
    if (row === undefined) throw userNotFound()
    const before = toAdminUser(row)
    const change = changesOf(row, update)
    await refuseTaken(trx, change, userId)
    await changeUser(trx, userId, change)
    if (change.has_signed_in === false) await forgetIdentities(trx, userId)
    if (update.credits !== undefined) {
      await setCredits(trx, { userId, credits: update.credits, actor: administrator })
    }
    if (update.is_active === false || change.has_signed_in === false) {
      await revokeKeys(trx, userId, now)
    }
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

/** Deletes keys, files, pictures, predictions and queued jobs; the ledger stays, without the name. */
export async function removeUser(
  db: Database,
  { administrator, userId, now }: AdminUserContext,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // Before the user: the same lock order as a worker that finishes a task.
    await forgetJobs(trx, userId)
    await forgetPictures(trx, userId)
    const user = await lockUser(trx, userId)
    if (user === undefined) throw userNotFound()
    await rememberCredits(trx, userId, user.credits)
    await deleteUser(trx, userId)
    await forgetShares(trx, user.email)
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
 * Another Google ID is another person: all accounts that sign in are unlinked, its keys are revoked, and the next sign-in with
 * the new ID, or with the email if there is none, is linked.
 */
function changesOf(row: UserRow & { has_signed_in: boolean }, update: UserUpdate): UserChange {
  const { email, name, is_active } = update
  const google_id = update.googleId === undefined ? undefined : update.googleId || null
  const wanted: UserChange = { email, name, is_active, google_id }
  const fields = ['email', 'name', 'is_active', 'google_id'] as const
  const changed = fields.filter(
    (field) => wanted[field] !== undefined && wanted[field] !== row[field],
  )
  const change = Object.fromEntries(changed.map((field) => [field, wanted[field]]))
  if (!changed.includes('google_id') || !row.has_signed_in) return change
  // Can be linked again, so no other unlinked user may have the same email.
  return { email: row.email, ...change, has_signed_in: false }
}

/**
 * Waits for other administrators who are assigning this email or Google ID. Emails are compared without case, Google
 * IDs exactly.
 */
async function refuseTaken(
  trx: Trx,
  { email, google_id }: { email?: string | undefined; google_id?: string | null | undefined },
  userId: string | null,
): Promise<void> {
  if (email !== undefined) {
    await holdLock(trx, 'userIdentity', email.toLowerCase())
    if (await isTaken(trx, { email }, userId)) {
      throw new AppError('conflict', `A user with the email ${email} already exists.`)
    }
  }
  if (google_id) {
    await holdLock(trx, 'userIdentity', google_id)
    if (await isTaken(trx, { googleId: google_id }, userId)) {
      throw new AppError('conflict', 'A user with this Google ID already exists.')
    }
  }
}

type Fields = Record<string, unknown>

function differences(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = Object.keys(after).filter((field) => before[field] !== after[field])
  const pick = (from: Fields) => Object.fromEntries(changed.map((field) => [field, from[field]]))
  return { before: pick(before), after: pick(after) }
}
