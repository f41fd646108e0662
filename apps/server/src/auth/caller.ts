/** Authenticates users: finds the user of an API key, and says why a key is refused. */
import { createHash } from 'node:crypto'
import { messages } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Tables } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'

export type Caller = {
  userId: string
  email: string
  name: string
  key: { id: string; kind: Tables['keys']['kind']; isBounded: boolean }
}

/** Shows people, and scanners for leaked secrets, what kind of key it is. */
export const keyPrefixes = { session: 'pkdex_s_', programmatic: 'pkdex_k_' } as const

/** A session without a request for this long has expired. */
export const SESSION_IDLE_MS = 12 * 3_600_000
/** "Last used" is written at most this often, so that polling does not write on every request. */
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
  // Deactivating an account also revokes its keys; the reason tells the holder why.
  if (found !== undefined && !found.is_active) throw inactiveUser()
  if (found === undefined || !isAlive(found, now)) {
    throw new AppError('not_signed_in', deadKeyMessage(key, found, now))
  }
  if (now.getTime() - found.last_used_at.getTime() > USE_RESOLUTION_MS) {
    await noteUse(db, found, now)
  }
  const { user_id: userId, email, name, id, kind } = found
  return { userId, email, name, key: { id, kind, isBounded: found.calls_per_day !== null } }
}

/**
 * Holders of an API key may know that it was revoked; for any other key the message depends only on its prefix, so it
 * does not reveal whether the key existed.
 */
function deadKeyMessage(
  key: string,
  found: Pick<Tables['keys'], 'kind' | 'revoked_at'> | undefined,
  now: Date,
): string {
  if (!key.startsWith(keyPrefixes.programmatic)) return messages.sessionExpired
  const revokedAt = found?.revoked_at ?? null
  return revokedAt !== null && revokedAt <= now
    ? 'This API key was revoked. Create a new one, or ask your administrator.'
    : messages.apiKeyInvalid
}

export function inactiveUser(): AppError {
  return new AppError('forbidden', 'This account is deactivated. Contact your administrator.')
}

/** Keys are random, so a plain hash is enough: they cannot be guessed. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

export type KeyLife = Pick<
  Tables['keys'],
  'revoked_at' | 'idle_expires_at' | 'expires_at' | 'closes_at'
>

export function isAlive(key: KeyLife, now: Date): boolean {
  const ends = [key.revoked_at, key.idle_expires_at, key.expires_at, key.closes_at]
  return ends.every((end) => end === null || end > now)
}

function findKey(db: Database, key: string) {
  return db
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .select(['keys.id', 'keys.kind', 'keys.user_id', 'keys.last_used_at', 'keys.calls_per_day'])
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
