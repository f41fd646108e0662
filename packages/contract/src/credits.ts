/** A user's balance. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const readCredits = endpoint({
  method: 'GET',
  path: '/dta/credits',
  auth: 'user',
  summary: 'Your balance.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({
    credits: z.number(),
    /** What one prediction costs, so that a screen can say it before it is spent. */
    credits_per_prediction: z.number().optional(),
  }),
})
