/** How an administrator signs in, and the headers of an administrator's call. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Either a bearer token in `Authorization` or a key in `X-API-Key`. */
export const ADMIN_KEY_HEADER = 'X-API-Key'
/** Where sent it must be the e-mail of the credential's owner; it never authenticates by itself. */
export const ADMIN_EMAIL_HEADER = 'X-Admin-Email'

export const requestAdminToken = endpoint({
  method: 'POST',
  path: '/admin/auth/token',
  auth: 'none',
  errors: ['not_signed_in'],
  summary: 'Exchanges an administrator’s e-mail and password for a bearer token; JSON or form.',
  query: z.object({}),
  form: true,
  body: z.object({ username: z.string().min(1).max(320), password: z.string().min(1).max(1024) }),
  answer: z.object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    /** Seconds until the token expires. */
    expires_in: z.number(),
  }),
})

/** The client also understands `key`. */
export const AdminKeyAnswer = z.object({
  api_key: z.string().optional(),
  key: z.string().optional(),
  /** Seconds until the key expires. */
  expires_in: z.number().optional(),
})

export const requestAdminKey = endpoint({
  method: 'GET',
  path: '/admin/auth/api-key',
  auth: 'admin',
  summary: 'A short-lived administrator key, a new one at each call.',
  query: z.object({}),
  body: z.undefined(),
  answer: AdminKeyAnswer,
})

export const adminLogout = endpoint({
  method: 'POST',
  path: '/admin/auth/logout',
  auth: 'admin',
  summary: 'Ends the administrator’s session and its keys.',
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ message: z.string() }),
})
