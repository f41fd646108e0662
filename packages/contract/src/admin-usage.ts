/** What administrators see of how much is used: predictions by day, and of users when they were last here. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Days that a user's usage is counted over. */
export const USAGE_DAYS = 30
const DAYS_MAX = 366
/** As many as stand on the longest page of the list. */
const USERS_MAX = 200

const Count = z.number().int().min(0)

export const UsageDay = z.object({
  /** In UTC. */
  day: z.iso.date(),
  /** Single predictions that were asked for on this day and have their number. */
  predictions: Count,
  /** Pairs that were predicted in screens that were started on this day. */
  screen_pairs: Count,
})
export type UsageDay = z.infer<typeof UsageDay>

export const readUsageByDay = endpoint({
  method: 'GET',
  path: '/admin/usage',
  auth: 'admin',
  summary: 'Predictions a day, of everybody or of one user, up to today (UTC).',
  query: z.object({
    days: z.coerce.number().int().min(1).max(DAYS_MAX).default(USAGE_DAYS),
    user_id: z.uuid().optional(),
  }),
  body: z.undefined(),
  answer: z.object({
    /** Every day, the oldest first. */
    days: z.array(UsageDay),
  }),
})

const UserUsage = z.object({
  _id: z.string(),
  /** The last call with a session or a key, to a minute; null where there was none. */
  last_seen_at: z.string().nullable(),
  /** In the last 30 days, single and in screens. */
  predictions: Count,
  /** Spent in the last 30 days, less what came back. */
  credits_used: z.number(),
})
export type UserUsage = z.infer<typeof UserUsage>

export const listUserUsage = endpoint({
  method: 'GET',
  path: '/admin/users/usage',
  auth: 'admin',
  summary: 'Of some users, when they were last seen and what they used in the last 30 days.',
  query: z.object({
    /** Ids, separated by commas. */
    user_ids: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.uuid()).min(1).max(USERS_MAX)),
  }),
  body: z.undefined(),
  answer: z.object({ users: z.array(UserUsage) }),
})
