/** Who is asking: finds the user behind an API key, and says why a key is not accepted. */
import { createHash } from 'node:crypto'
import { messages } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, KeysTable } from '#server/db/schema.ts'
import { AppError } from './app-error.ts'

export type Caller = {
  userId: string
  email: string
  name: string
  key: { id: string; kind: KeysTable['kind'] }
}

/** A session without a call for this long is over. */
export const SESSION_IDLE_MS = 12 * 3_600_000
/** Moments of use are kept this exactly, so that polling does not write at every call. */
const USE_RESOLUTION_MS = 60_000

export async function findCaller(
  db: Database,
  key: string | undefined,
  now: Date,
): Promise<Caller> {
  if (key === undefined || key === '') {
    throw new AppError('not_signed_in', messages.upload.notSignedIn)
  }
  const found = await findKey(db, key)
  if (found === undefined || !isAlive(found, now)) {
    throw new AppError('not_signed_in', messages.sessionExpired)
  }
  if (!found.is_active) throw inactiveUser()
  if (now.getTime() - found.last_used_at.getTime() > USE_RESOLUTION_MS) {
    await noteUse(db, found, now)
  }
  const { user_id: userId, email, name, id, kind } = found
  return { userId, email, name, key: { id, kind } }
}

export function inactiveUser(): AppError {
  return new AppError('forbidden', 'This account is switched off. Please ask your administrator.')
}

/** Keys are random, so a plain hash keeps them: there is nothing to guess. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

export type KeyLife = Pick<KeysTable, 'revoked_at' | 'idle_expires_at' | 'expires_at' | 'closes_at'>

export function isAlive(key: KeyLife, now: Date): boolean {
  const ends = [key.revoked_at, key.idle_expires_at, key.expires_at, key.closes_at]
  return ends.every((end) => end === null || end > now)
}

function findKey(db: Database, key: string) {
  return db
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .select(['keys.id', 'keys.kind', 'keys.user_id', 'keys.last_used_at'])
    .select(['keys.revoked_at', 'keys.idle_expires_at', 'keys.expires_at', 'keys.closes_at'])
    .select(['users.email', 'users.name', 'users.is_active'])
    .where('keys.hash', '=', hashKey(key))
    .executeTakeFirst()
}

async function noteUse(db: Database, key: { id: string }, now: Date): Promise<void> {
  const idleEnd = new Date(now.getTime() + SESSION_IDLE_MS)
  await db
    .updateTable('keys')
    .set({
      last_used_at: now,
      idle_expires_at: sql`case when idle_expires_at is null then null
        else ${idleEnd}::timestamptz end`,
    })
    .where('id', '=', key.id)
    .execute()
}
