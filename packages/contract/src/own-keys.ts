/** A user's own programmatic keys: made, named, bounded and revoked from the Account page. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Keys of one user that work at the same time. */
export const OWN_KEYS_MAX = 20
const KEY_NAME_CHARACTERS_MAX = 80
const CALLS_PER_DAY_MAX = 10_000_000

const KeyName = z.string().trim().min(1).max(KEY_NAME_CHARACTERS_MAX)
const CallsPerDay = z.number().int().min(1).max(CALLS_PER_DAY_MAX).nullable()

export const OwnKey = z.object({
  id: z.string(),
  /** Empty for a key that an administrator made. */
  name: z.string(),
  prefix: z.string(),
  /** Calls that it may make in a day (UTC); null: as many as the account may. */
  calls_per_day: CallsPerDay,
  /** Calls that it has made today; counted for keys with a bound. */
  calls_today: z.number().int(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type OwnKey = z.infer<typeof OwnKey>

const call = { auth: 'user', query: z.object({}) } as const

export const listOwnKeys = endpoint({
  ...call,
  method: 'GET',
  path: '/account/keys',
  summary: 'Your programmatic keys that still work, newest first, by prefix.',
  body: z.undefined(),
  answer: z.object({ keys: z.array(OwnKey) }),
})

export const createOwnKey = endpoint({
  ...call,
  method: 'POST',
  path: '/account/keys',
  summary:
    'Makes a programmatic key of yours, shown this once. Needs a session: a key makes no keys.',
  errors: ['forbidden', 'conflict'],
  body: z.object({ name: KeyName, calls_per_day: CallsPerDay.default(null) }),
  answer: z.object({ key: z.string(), prefix: z.string() }),
})

export const revokeOwnKey = endpoint({
  ...call,
  method: 'DELETE',
  path: '/account/keys/:keyId',
  summary: 'Revokes one of your keys at once. Needs a session.',
  errors: ['forbidden', 'not_found'],
  body: z.undefined(),
  answer: z.object({ message: z.string() }),
})
