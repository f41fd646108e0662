/** All single predictions that a user has requested. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'
import { TaskStatus } from './predictions.ts'
import { Moment } from './text.ts'

export const PastPrediction = z.object({
  task_id: z.string(),
  /** Current name of the target; null if it was deleted. */
  target: z.string().nullable(),
  chain: z.string(),
  /** Current name of the compound; null if it was deleted. */
  compound: z.string().nullable(),
  /** The predicted molecule; null if the compound was deleted. */
  smiles: z.string().nullable(),
  status: TaskStatus,
  /** Why there is no prediction, if it failed. */
  message: z.string().nullable(),
  /** The best estimate and its interval, see `best_estimate` of a result. */
  best_kd: z.number().nullable(),
  best_lower: z.number().nullable(),
  best_upper: z.number().nullable(),
  /** From sequence and compound, with the ends of its calibrated interval, in pKd. */
  predicted_kd: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Your measured values for exactly this pair: the mean of the exact ones in pK. */
  measured_pk: z.number().nullable(),
  model_version: z.string().nullable(),
  /** Credits it cost: 0 after a refund. */
  credits_charged: z.number(),
  created_at: Moment,
})
export type PastPrediction = z.infer<typeof PastPrediction>

const call = { auth: 'user', method: 'GET' } as const

/** Part of the name of a target or compound, ignoring case. */
const search = SearchText

export const listHistory = endpoint({
  ...call,
  path: '/history',
  summary:
    'Lists your single predictions, newest first, optionally by target or compound name; total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of matching predictions.' },
  query: z.object({ page: PageNumber.default(1), page_size: pageSize(50), search }),
  answer: z.object({ predictions: z.array(PastPrediction) }),
})

export const downloadHistory = endpoint({
  ...call,
  path: '/history.csv',
  summary: 'Exports the same list as CSV, all pages.',
  query: z.object({ search }),
  answer: z.unknown(),
  mediaTypes: ['text/csv'],
})
