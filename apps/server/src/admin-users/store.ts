/** Reads and changes users for administrators. */
import type { AdminUser } from '@pkdex/contract'
import type { AdminActionContext } from '#server/audit/service.ts'
import { type Selectable, sql } from 'kysely'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'

/** Context that each change of a user and its audit entry need. */
export type AdminUserContext = AdminActionContext & { userId: string }

export const userColumns = [
  'id',
  'email',
  'name',
  'google_id',
  'credits',
  'is_active',
  'created_at',
] as const
export type UserRow = Pick<Selectable<Tables['users']>, (typeof userColumns)[number]>

/** SQL on a row of `users`: the last request with a session or a key; null if there was none. */
export const lastSeen = sql<Date | null>`greatest(users.last_seen_at, (
  select max(last_used_at) from keys
  -- An administrator makes a key for somebody who may never use it.
  where keys.user_id = users.id and (kind = 'session' or last_used_at > keys.created_at)
))`

export function toAdminUser(row: UserRow): AdminUser {
  const { id: _id, email, name, google_id: googleId, credits, is_active, created_at } = row
  return { _id, email, name, googleId, credits, is_active, created_at: created_at.toISOString() }
}

export function selectUsers(db: Database) {
  return db.selectFrom('users').select(userColumns)
}

export function findUser(db: Database, userId: string) {
  return selectUsers(db).where('id', '=', userId).executeTakeFirst()
}

/** Locks the user's row until the transaction ends. */
export function lockUser(trx: Trx, userId: string) {
  return selectUsers(trx)
    .select('has_signed_in')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks several users in a fixed order, to avoid deadlocks. */
export function lockUsers(trx: Trx, userIds: string[]): Promise<UserRow[]> {
  return selectUsers(trx).where('id', 'in', userIds).orderBy('id').forUpdate().execute()
}

type Sought = { email: string } | { googleId: string }

export async function isTaken(
  trx: Trx,
  sought: Sought,
  exceptUserId: string | null,
): Promise<boolean> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .$if('email' in sought, (query) =>
      query.where('email_key', '=', sql<string>`lower(${'email' in sought ? sought.email : ''})`),
    )
    .$if('googleId' in sought, (query) =>
      query.where('google_id', '=', 'googleId' in sought ? sought.googleId : ''),
    )
    .$if(exceptUserId !== null, (query) => query.where('id', '<>', exceptUserId ?? ''))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

type NewUser = Pick<UserRow, 'email' | 'name' | 'google_id' | 'credits' | 'is_active'>

export function insertUser(trx: Trx, user: NewUser, now: Date): Promise<UserRow> {
  return trx
    .insertInto('users')
    .values({ ...user, created_at: now })
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}

/** Undefined fields are unchanged. */
export type UserChange = {
  email?: string | undefined
  name?: string | undefined
  google_id?: string | null | undefined
  is_active?: boolean | undefined
  has_signed_in?: false
}

export async function changeUser(trx: Trx, userId: string, change: UserChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  await trx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** The user must be locked. */
export async function forgetIdentities(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('identities').where('user_id', '=', userId).execute()
}

/** Deletes all data of the user except the ledger. */
export async function deleteUser(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', userId).execute()
}
