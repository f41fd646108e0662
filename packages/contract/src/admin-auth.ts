/** Administrator sign-in, credentials of administrator requests, and administrator accounts. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Moment } from './text.ts'

/** Either a bearer token in `Authorization` or a key in `X-API-Key`. */
export const ADMIN_KEY_HEADER = 'X-API-Key'
/** If sent, it must be the email of the credential's owner; it does not authenticate. */
export const ADMIN_EMAIL_HEADER = 'X-Admin-Email'

export const requestAdminToken = endpoint({
  method: 'POST',
  path: '/admin/auth/token',
  auth: 'none',
  errors: ['not_signed_in'],
  summary:
    'Signs an administrator in: exchanges email and password (JSON or form) for a bearer token.',
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
  summary: 'Creates a short-lived administrator key on each request.',
  answer: AdminKeyAnswer,
})

export const adminLogout = endpoint({
  method: 'POST',
  path: '/admin/auth/logout',
  auth: 'admin',
  summary: 'Signs the administrator out; ends the session and its keys.',
  answer: z.object({ message: z.string() }),
})

/** Minimum length of a password chosen by an administrator. */
export const ADMIN_PASSWORD_CHARACTERS_MIN = 12
const PASSWORD_CHARACTERS_MAX = 1024

export const changeAdminPassword = endpoint({
  method: 'PUT',
  path: '/admin/auth/password',
  auth: 'admin',
  summary: 'Changes your own administrator password; ends your other sessions.',
  body: z.object({
    current_password: z.string().min(1).max(PASSWORD_CHARACTERS_MAX),
    new_password: z.string().min(ADMIN_PASSWORD_CHARACTERS_MIN).max(PASSWORD_CHARACTERS_MAX),
  }),
  answer: z.object({ message: z.string() }),
})

export const listAdministrators = endpoint({
  method: 'GET',
  path: '/admin/administrators',
  auth: 'admin',
  summary: 'Lists administrators, oldest first.',
  answer: z.object({
    administrators: z.array(
      z.object({
        email: z.string(),
        created_at: Moment,
        /** The administrator who sent the request. */
        is_you: z.boolean(),
      }),
    ),
  }),
})

export const createAdministrator = endpoint({
  method: 'POST',
  path: '/admin/administrators',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Creates an administrator; returns the password only once.',
  body: z.object({ email: z.email().max(320) }),
  answer: z.object({ email: z.string(), password: z.string() }),
})

export const deleteAdministrator = endpoint({
  method: 'DELETE',
  path: '/admin/administrators/:email',
  auth: 'admin',
  errors: ['conflict'],
  summary: 'Deletes another administrator and ends their sessions.',
  answer: z.object({ message: z.string() }),
})
