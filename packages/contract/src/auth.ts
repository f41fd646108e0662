/** Signing in with Google (or the development identity provider), keeping a session, signing out. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Headers of a signed-in call. `PAGE_ID_HEADER` names the browser page, so that closing one can be told from signing out. */
export const API_KEY_HEADER = 'API-Key'
export const PAGE_ID_HEADER = 'X-Page-Id'

export const ConnectionConfig = z.object({
  google_client_id: z.string(),
  /** Script with the `google.accounts.id` surface: Google's, or the development identity provider's. */
  script_url: z.string(),
  /** True for the development identity provider: the page labels it. */
  is_stand_in: z.boolean(),
  /** True where it was switched on beyond loopback: the page warns. */
  is_stand_in_exposed: z.boolean(),
  /** To be handed to `google.accounts.id.initialize`; the server accepts only ID tokens that carry it. */
  nonce: z.string(),
})
export type ConnectionConfig = z.infer<typeof ConnectionConfig>

export const readConnectionConfig = endpoint({
  method: 'GET',
  path: '/connection/config',
  auth: 'none',
  summary: 'Which sign-in service the page loads, and a one-time nonce for it.',
  query: z.object({}),
  body: z.undefined(),
  answer: ConnectionConfig,
})

export const verifyGoogle = endpoint({
  method: 'POST',
  path: '/connection/verify-google',
  auth: 'none',
  summary: 'Exchanges a Google ID token for a session key; the first time it creates the user.',
  errors: ['not_signed_in', 'forbidden', 'unavailable'],
  query: z.object({}),
  body: z.object({ id_token: z.string().min(1).max(10_000) }),
  answer: z.object({ api_key: z.string() }),
})

export const login = endpoint({
  method: 'POST',
  path: '/dta/login',
  auth: 'user',
  summary: 'Validates an API key; with a page id it also claims the session for that page.',
  headers: { [PAGE_ID_HEADER]: 'The browser page that the session is claimed for.' },
  query: z.object({}),
  body: z.undefined(),
  answer: z.object({ email: z.string(), name: z.string() }),
})

const SignedOut = z.object({ message: z.string() })

export const logout = endpoint({
  method: 'POST',
  path: '/dta/logout',
  auth: 'none',
  summary: 'Ends the session: at once, or after a grace period when a page id is sent.',
  headers: {
    [API_KEY_HEADER]: 'The key of the session.',
    [PAGE_ID_HEADER]: 'The browser page that is closed.',
  },
  query: z.object({}),
  body: z.undefined(),
  answer: SignedOut,
})

export const logoutFiles = endpoint({
  ...logout,
  path: '/file_manager/logout',
  summary: 'The same as /dta/logout; sent beside it.',
})

export const requestDevelopmentToken = endpoint({
  method: 'POST',
  path: '/dev/identity/token',
  auth: 'none',
  summary: 'Development only: an ID token of the development identity provider, for any address.',
  errors: ['forbidden'],
  query: z.object({}),
  body: z.object({
    email: z.email().max(320),
    name: z.string().max(200).default(''),
    /** The page's nonce; scripts leave it out and get a token with a fresh one. */
    nonce: z.string().max(500).optional(),
  }),
  answer: z.object({ id_token: z.string() }),
})
