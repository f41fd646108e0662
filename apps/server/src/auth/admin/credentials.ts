/**
 * Administrator credentials: a token from signing in, and short-lived keys created with it. They are returned once and
 * stored as hashes; a session's keys end with it.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Tables, Trx } from '#server/platform/db/schema.ts'
import { hashKey } from '#server/auth/caller.ts'

export const TOKEN_SECONDS = 8 * 3600
export const KEY_SECONDS = 3600

/** A prefix that people, and scanners for leaked secrets, recognise. */
const prefixes = { token: 'pkdex_t_', key: 'pkdex_a_' } as const
const KEY_BYTES = 32

export type Minted = { value: string; expiresInSeconds: number }

export async function mintToken(trx: Trx, administratorId: string, now: Date): Promise<Minted> {
  await trx.deleteFrom('administrator_keys').where('expires_at', '<=', now).execute()
  const expires_at = after(now, TOKEN_SECONDS)
  return mint(trx, {
    administrator_id: administratorId,
    session_id: randomUUID(),
    kind: 'token',
    created_at: now,
    expires_at,
    session_expires_at: expires_at,
  })
}

type Session = { administratorId: string; sessionId: string; sessionEnd: Date }

/** A key never outlives its session. */
export async function mintSessionKey(trx: Trx, session: Session, now: Date): Promise<Minted> {
  const { sessionEnd } = session
  const end = after(now, KEY_SECONDS)
  return mint(trx, {
    administrator_id: session.administratorId,
    session_id: session.sessionId,
    kind: 'key',
    created_at: now,
    expires_at: end < sessionEnd ? end : sessionEnd,
    session_expires_at: sessionEnd,
  })
}

export async function isLiveSession(trx: Trx, sessionId: string): Promise<boolean> {
  const token = await trx
    .selectFrom('administrator_keys')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'token')
    .executeTakeFirst()
  return token !== undefined
}

export async function endSession(trx: Trx, sessionId: string): Promise<void> {
  await trx.deleteFrom('administrator_keys').where('session_id', '=', sessionId).execute()
}

async function mint(
  trx: Trx,
  life: Omit<Tables['administrator_keys'], 'id' | 'hash'>,
): Promise<Minted> {
  const value = prefixes[life.kind] + randomBytes(KEY_BYTES).toString('base64url')
  await trx
    .insertInto('administrator_keys')
    .values({ ...life, hash: hashKey(value) })
    .execute()
  const lifetimeMs = life.expires_at.getTime() - life.created_at.getTime()
  return { value, expiresInSeconds: Math.floor(lifetimeMs / 1000) }
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}
