/** All single predictions that a user has requested. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageNumber, pageSize, SearchText, TOTAL_COUNT_HEADER } from './paging.ts'
import { TaskStatus } from './predictions.ts'
import { Moment } from './text.ts'

export const PastPrediction = z.object({
  task_id: z.string(),
  target: z.string().nullable().describe('Current name of the target; null if it was deleted.'),
  chain: z.string(),
  compound: z.string().nullable().describe('Current name of the compound; null if it was deleted.'),
  smiles: z
    .string()
    .nullable()
    .describe('The predicted molecule; null if the compound was deleted.'),
  status: TaskStatus,
  message: z.string().nullable().describe('Why there is no prediction, if it failed.'),
  best_kd: z
    .number()
    .nullable()
    .describe('The best estimate and its interval, see `best_estimate` of a result.'),
  best_lower: z.number().nullable(),
  best_upper: z.number().nullable(),
  predicted_kd: z
    .number()
    .nullable()
    .describe('From sequence and compound, with the ends of its calibrated interval, in pKd.'),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  measured_pk: z
    .number()
    .nullable()
    .describe('Your measured values for exactly this pair: the mean of the exact ones in pK.'),
  model_version: z.string().nullable(),
  credits_charged: z.number().describe('Credits it cost: 0 after a refund.'),
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
