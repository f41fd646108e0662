/** A user's balance. */
import { z } from 'zod'
import { News } from './comments.ts'
import { endpoint } from './endpoint.ts'
import { LogPage, TOTAL_COUNT_HEADER } from './paging.ts'
import { Moment } from './text.ts'

export const readCredits = endpoint({
  method: 'GET',
  path: '/dta/credits',
  auth: 'user',
  summary: 'Returns your balance, the price of a prediction, and what is new to you.',
  answer: z.object({
    credits: z.number(),
    credits_per_prediction: z
      .number()
      .optional()
      .describe('What one prediction costs, so that a screen can show it before it is charged.'),
    news: z
      .array(News)
      .optional()
      .describe(
        'Screens with comments by others, or that have finished, since you last looked; the latest screens first, at most 100. Left out if there are none.',
      ),
  }),
})

export const LedgerEntry = z.object({
  id: z.string(),
  delta: z.number().describe('Negative for a charge.'),
  balance_after: z.number(),
  reason: z.string().describe('For example `prediction`, `screen refund`, `administrator`.'),
  screen_id: z
    .string()
    .nullable()
    .describe(
      'The screen it was for, or its follow-up; null for anything else, and once that is deleted.',
    ),
  created_at: Moment,
})

export const listLedger = endpoint({
  method: 'GET',
  path: '/dta/credits/ledger',
  auth: 'user',
  summary: 'Lists all changes of your balance, newest first; total in X-Total-Count.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of changes.' },
  query: LogPage,
  answer: z.object({ entries: z.array(LedgerEntry) }),
})
