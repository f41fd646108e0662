/** The caller's account as a whole. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const EMAIL_CHARACTERS_MAX = 320

export const exportAccount = endpoint({
  method: 'GET',
  path: '/account/export',
  auth: 'user',
  summary:
    'Downloads all your data as a zip: original files, CSV tables of targets, compounds, predictions, screens, comments, measured values and the ledger, and the poses of screens as SDF.',
  errors: ['too_many_requests'],
  answer: z.unknown(),
  mediaTypes: ['application/zip'],
})

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/account',
  auth: 'user',
  summary:
    'Deletes your account and all your data permanently; ends your sessions and keys. Requires a session and your email as confirmation.',
  errors: ['forbidden'],
  body: z.object({
    /** The account's email, so that nothing is deleted by mistake. */
    confirm: z.string().max(EMAIL_CHARACTERS_MAX),
  }),
  answer: z.object({ message: z.string() }),
})
