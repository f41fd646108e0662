/** The caller's account as a whole. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const EMAIL_CHARACTERS_MAX = 320

export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  auth: 'user',
  summary:
    'All that is yours as one zip: files as uploaded, and as CSV targets, compounds, predictions, screens, measured values and the ledger.',
  errors: ['too_many_requests'],
  query: z.object({}),
  body: z.undefined(),
  answer: z.unknown(),
  mediaTypes: ['application/zip'],
})

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  auth: 'user',
  summary:
    'Deletes your account and all that is yours, for good, and ends your sessions and keys. Needs a session, and your e-mail as confirmation.',
  errors: ['forbidden'],
  query: z.object({}),
  body: z.object({
    /** The e-mail of the account, so that nothing is deleted by mistake. */
    confirm: z.string().max(EMAIL_CHARACTERS_MAX),
  }),
  answer: z.object({ message: z.string() }),
})
