/** Creates API keys of users. The key itself is returned once; the database stores its hash. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { hashKey, keyPrefixes, SESSION_IDLE_MS } from './caller.ts'

/** Maximum lifetime of a session, even if it is in use. */
export const SESSION_MS_MAX = 7 * 24 * 3_600_000

const KEY_BYTES = 32
/** Length of the prefix shown in lists. */
const SHOWN_CHARACTERS = 14

type NewKey = {
  userId: string
  kind: keyof typeof keyPrefixes
  now: Date
  name?: string
  callsPerDay?: number | null
}

export async function mintKey(trx: Trx, { userId, kind, now, ...bounds }: NewKey): Promise<string> {
  const key = keyPrefixes[kind] + randomBytes(KEY_BYTES).toString('base64url')
  const isSession = kind === 'session'
  await trx
    .insertInto('keys')
    .values({
      user_id: userId,
      kind,
      name: bounds.name ?? '',
      calls_per_day: bounds.callsPerDay ?? null,
      prefix: shownPrefix(key),
      hash: hashKey(key),
      created_at: now,
      last_used_at: now,
      idle_expires_at: isSession ? after(now, SESSION_IDLE_MS) : null,
      expires_at: isSession ? after(now, SESSION_MS_MAX) : null,
    })
    .execute()
  return key
}

export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS)
}

/** API keys that are not revoked, newest first. */
export async function listKeys(db: Database, userId: string, now: Date) {
  const keys = await db
    .selectFrom('keys')
    .select(['id', 'prefix', 'name', 'calls_per_day', 'created_at', 'last_used_at'])
    .select(callsOn(now).as('calls_today'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'programmatic')
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return keys.map(({ created_at, last_used_at, ...key }) => ({
    ...key,
    created_at: created_at.toISOString(),
    // A new key counts as used at its creation, so that its first use is recorded.
    last_used_at: last_used_at > created_at ? last_used_at.toISOString() : null,
  }))
}

/** Its prefix; undefined if the user has no such valid key. */
export async function revokeKey(
  trx: Trx,
  { userId, keyId, now }: { userId: string; keyId: string; now: Date },
): Promise<string | undefined> {
  const revoked = await trx
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .where('kind', '=', 'programmatic')
    .where('revoked_at', 'is', null)
    .returning('prefix')
    .executeTakeFirst()
  return revoked?.prefix
}

/** Counts a request with a key that has a daily limit; false if the limit is reached. */
export async function countCall(db: Database, keyId: string, now: Date): Promise<boolean> {
  const counted = await db
    .updateTable('keys')
    .set({ calls_today: sql<number>`${callsOn(now)} + 1`, calls_on: dayOf(now) })
    .where('id', '=', keyId)
    .where(sql<boolean>`${callsOn(now)} < calls_per_day`)
    .returning('id')
    .executeTakeFirst()
  return counted !== undefined
}

function callsOn(now: Date) {
  return sql<number>`case when calls_on = ${dayOf(now)}::date then calls_today else 0 end`
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

/** Expired sessions; API keys are kept for administrators. */
export async function forgetDeadKeys(trx: Trx, userId: string, now: Date): Promise<void> {
  const ends = ['revoked_at', 'closes_at', 'idle_expires_at', 'expires_at'] as const
  await trx
    .deleteFrom('keys')
    .where('user_id', '=', userId)
    .where('kind', '=', 'session')
    .where((is) => is.or(ends.map((end) => is(end, '<', now))))
    .execute()
}

/** Revoked keys kept per user, for administrators. */
export const REVOKED_KEYS_KEPT = 100

/** The oldest keys beyond the limit. */
export async function forgetRevokedKeys(trx: Trx, userId: string): Promise<void> {
  const old = trx
    .selectFrom('keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'programmatic')
    .where('revoked_at', 'is not', null)
    .orderBy('revoked_at', 'desc')
    .orderBy('id')
    .offset(REVOKED_KEYS_KEPT)
  await trx.deleteFrom('keys').where('id', 'in', old).execute()
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}
