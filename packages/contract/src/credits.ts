/** A user's balance. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LogPage, TOTAL_COUNT_HEADER } from './paging.ts'
import { Moment } from './text.ts'

export const readCredits = endpoint({
  method: 'GET',
  path: '/dta/credits',
  auth: 'user',
  summary: 'Returns your balance and the price of a prediction.',
  answer: z.object({
    credits: z.number(),
    credits_per_prediction: z
      .number()
      .optional()
      .describe('What one prediction costs, so that a screen can show it before it is charged.'),
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
