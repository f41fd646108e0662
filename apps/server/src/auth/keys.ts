/** Makes keys of users. The key itself is answered once; the database keeps its hash. */
import { randomBytes } from 'node:crypto'
import type { Trx } from '#server/db/schema.ts'
import { hashKey, SESSION_IDLE_MS } from '#server/http/caller.ts'

/** A session is over after this long, however much it is used. */
export const SESSION_MS_MAX = 7 * 24 * 3_600_000

/** Says to people, and to scanners of leaked secrets, what they are looking at. */
const prefixes = { session: 'pkdex_s_', programmatic: 'pkdex_k_' } as const
const KEY_BYTES = 32
/** How much of a key a list shows, to tell one from another. */
const SHOWN_CHARACTERS = 14

type Wish = { userId: string; kind: keyof typeof prefixes; now: Date }

export async function mintKey(trx: Trx, { userId, kind, now }: Wish): Promise<string> {
  const key = prefixes[kind] + randomBytes(KEY_BYTES).toString('base64url')
  const isSession = kind === 'session'
  await trx
    .insertInto('keys')
    .values({
      user_id: userId,
      kind,
      prefix: key.slice(0, SHOWN_CHARACTERS),
      hash: hashKey(key),
      created_at: now,
      last_used_at: now,
      idle_expires_at: isSession ? after(now, SESSION_IDLE_MS) : null,
      expires_at: isSession ? after(now, SESSION_MS_MAX) : null,
    })
    .execute()
  return key
}

/** Sessions that are over; programmatic keys stay, for an administrator to see. */
export async function forgetDeadKeys(trx: Trx, userId: string, now: Date): Promise<void> {
  const ends = ['revoked_at', 'closes_at', 'idle_expires_at', 'expires_at'] as const
  await trx
    .deleteFrom('keys')
    .where('user_id', '=', userId)
    .where('kind', '=', 'session')
    .where((is) => is.or(ends.map((end) => is(end, '<', now))))
    .execute()
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}
