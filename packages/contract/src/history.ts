/** Every single prediction that a user has asked for. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'

export const PastPrediction = z.object({
  task_id: z.string(),
  /** Name by which the target goes now; null where it was deleted. */
  target: z.string().nullable(),
  chain: z.string(),
  /** Name by which the compound goes now; null where it was deleted. */
  compound: z.string().nullable(),
  /** `PENDING`, `STARTED`, `SUCCESS` or `FAILURE`. */
  status: z.string(),
  /** Why there is no number, where it failed. */
  message: z.string().nullable(),
  predicted_kd: z.number().nullable(),
  /** Ends of the calibrated interval, in pKd. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  model_version: z.string().nullable(),
  /** Credits that it has cost: 0 once they were returned. */
  credits_charged: z.number(),
  created_at: z.string(),
})
export type PastPrediction = z.infer<typeof PastPrediction>

const call = { auth: 'user', method: 'GET', body: z.undefined() } as const

/** Part of the name of a target or compound; capitals do not matter. */
const search = SearchText

export const listHistory = endpoint({
  ...call,
  path: '/history',
  summary:
    'Your single predictions, newest first, all or those of which the target or compound is called so; the total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'How many match, on all pages.' },
  query: z.object({ page: PageNumber.default(1), page_size: pageSize(50), search }),
  answer: z.object({ predictions: z.array(PastPrediction) }),
})

export const downloadHistory = endpoint({
  ...call,
  path: '/history.csv',
  summary: 'The same as one table, all pages.',
  query: z.object({ search }),
  answer: z.unknown(),
  mediaTypes: ['text/csv'],
})
