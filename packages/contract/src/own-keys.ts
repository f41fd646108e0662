/** A user's own API keys: created, named, limited and revoked on the Account page. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Moment } from './text.ts'

/** Maximum active keys per user. */
export const OWN_KEYS_MAX = 20
const KEY_NAME_CHARACTERS_MAX = 80
const CALLS_PER_DAY_MAX = 10_000_000

const KeyName = z.string().trim().min(1).max(KEY_NAME_CHARACTERS_MAX)
const CallsPerDay = z.number().int().min(1).max(CALLS_PER_DAY_MAX).nullable()

export const OwnKey = z.object({
  id: z.string(),
  /** Empty for a key created by an administrator. */
  name: z.string(),
  prefix: z.string(),
  /** Maximum requests per day (UTC); null: no limit of its own. */
  calls_per_day: CallsPerDay,
  /** Requests today; counted for keys with a limit. */
  calls_today: z.number().int(),
  created_at: Moment,
  last_used_at: Moment.nullable(),
})
export type OwnKey = z.infer<typeof OwnKey>

export const listOwnKeys = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/account/keys',
  summary: 'Lists your active API keys by prefix, newest first.',
  answer: z.object({ keys: z.array(OwnKey) }),
})

export const createOwnKey = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/account/keys',
  summary: 'Creates an API key; it is shown only once. Requires a session, not an API key.',
  errors: ['forbidden', 'conflict'],
  body: z.object({ name: KeyName, calls_per_day: CallsPerDay.default(null) }),
  answer: z.object({ key: z.string(), prefix: z.string() }),
})

export const revokeOwnKey = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/account/keys/:keyId',
  summary: 'Revokes one of your API keys immediately. Requires a session.',
  errors: ['forbidden', 'not_found'],
  answer: z.object({ message: z.string() }),
})
