/** Usage for administrators: predictions per day, and when users were last seen. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Moment } from './text.ts'

/** Number of days over which a user's usage is summed. */
export const USAGE_DAYS = 30
const DAYS_MAX = 366
/** Maximum page size of the user list. */
const USERS_MAX = 200

const Count = z.number().int().min(0)

export const UsageDay = z.object({
  /** In UTC. */
  day: z.iso.date(),
  /** Single predictions requested on this day that have a result. */
  predictions: Count,
  /** Pairs predicted in screens started on this day. */
  screen_pairs: Count,
})
export type UsageDay = z.infer<typeof UsageDay>

export const readUsageByDay = endpoint({
  method: 'GET',
  path: '/admin/usage',
  auth: 'admin',
  summary: 'Returns predictions per day, for all users or one, up to today (UTC).',
  query: z.object({
    days: z.coerce.number().int().min(1).max(DAYS_MAX).default(USAGE_DAYS),
    user_id: z.uuid().optional(),
  }),
  answer: z.object({
    /** Every day, oldest first. */
    days: z.array(UsageDay),
  }),
})

const UserUsage = z.object({
  _id: z.string(),
  /** Last request with a session or a key, to the minute; null if there was none. */
  last_seen_at: Moment.nullable(),
  /** In the last 30 days, single and in screens. */
  predictions: Count,
  /** Used in the last 30 days, minus refunds. */
  credits_used: z.number(),
})
export type UserUsage = z.infer<typeof UserUsage>

export const listUserUsage = endpoint({
  method: 'GET',
  path: '/admin/users/usage',
  auth: 'admin',
  summary: 'Returns when the given users were last seen and their usage in the last 30 days.',
  query: z.object({
    /** Ids, separated by commas. */
    user_ids: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.uuid()).min(1).max(USERS_MAX)),
  }),
  answer: z.object({ users: z.array(UserUsage) }),
})
