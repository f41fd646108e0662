/** What the database remembers of users, as administrators see and change it. */
import type { AdminUser } from '@pkdex/contract'
import type { AdminActionContext } from '#server/audit/service.ts'
import { type Selectable, sql } from 'kysely'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'

/** What every change of a user and its audit entry need. */
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

/** Until the transaction ends, nobody else changes the user. */
export function lockUser(trx: Trx, userId: string) {
  return selectUsers(trx).select('subject').where('id', '=', userId).forUpdate().executeTakeFirst()
}

/** The same for several, in one order, so that two such calls do not wait for each other in a circle. */
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
    .values({ ...user, issuer: null, subject: null, created_at: now })
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}

/** Undefined: stays as it is. */
export type UserChange = {
  email?: string | undefined
  name?: string | undefined
  google_id?: string | null | undefined
  is_active?: boolean | undefined
  issuer?: null
  subject?: null
}

export async function changeUser(trx: Trx, userId: string, change: UserChange): Promise<void> {
  if (Object.keys(change).length === 0) return
  await trx.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** With all that belongs to the user; the ledger stays. */
export function deleteUser(trx: Trx, userId: string) {
  return trx.deleteFrom('users').where('id', '=', userId).returning(userColumns).executeTakeFirst()
}

export async function filesOf(
  db: Database,
  userId: string,
  { page, page_size }: { page: number; page_size: number },
) {
  const files = db.selectFrom('files').where('user_id', '=', userId)
  const { total } = await files
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await files
    .select(['id', 'filename', 'file_type', 'uploaded_at', 'size_bytes'])
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { total, rows }
}

export async function ledgerOf(
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
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { total, entries }
}
