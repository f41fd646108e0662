/** Signing in with Google (or the development identity provider), keeping a session, signing out. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * Headers of a signed-in request. `PAGE_ID_HEADER` identifies the browser page, so that closing one can be
 * distinguished from signing out.
 */
export const API_KEY_HEADER = 'API-Key'
export const PAGE_ID_HEADER = 'X-Page-Id'
export const PAGE_ID = /^[\w-]{1,100}$/

export const ConnectionConfig = z.object({
  google_client_id: z.string(),
  /** Script with the `google.accounts.id` surface: Google's, or the development identity provider's. */
  script_url: z.string(),
  /** True for the development identity provider: the page labels it. */
  is_stand_in: z.boolean(),
  /** True if it is enabled beyond loopback: the page warns. */
  is_stand_in_exposed: z.boolean(),
  /** What a new account gets and what a prediction costs, for the sign-in page. */
  initial_credits: z.number().optional(),
  credits_per_prediction: z.number().optional(),
  /** True if only invited users can sign in. */
  is_by_invitation: z.boolean().optional(),
  /** Passed to `google.accounts.id.initialize`; the server accepts only ID tokens with it. */
  nonce: z.string(),
  /** Names of other providers, for their buttons; missing if there are none. */
  providers: z.array(z.string()).optional(),
})
export type ConnectionConfig = z.infer<typeof ConnectionConfig>

export const readConnectionConfig = endpoint({
  method: 'GET',
  path: '/connection/config',
  auth: 'none',
  summary: 'Returns the sign-in service to load and a one-time nonce.',
  answer: ConnectionConfig,
})

export const verifyGoogle = endpoint({
  method: 'POST',
  path: '/connection/verify-google',
  auth: 'none',
  summary:
    'Exchanges a Google ID token for a session key. The first sign-in creates the user, or links the one that `invitation` names.',
  errors: ['not_signed_in', 'forbidden', 'unavailable'],
  body: z.object({
    id_token: z.string().min(1).max(10_000),
    /** Code of an invitation link: links an account that is new here to the invited user. */
    invitation: z.string().max(100).optional(),
  }),
  answer: z.object({ api_key: z.string() }),
})

export const login = endpoint({
  method: 'POST',
  path: '/dta/login',
  auth: 'user',
  summary: 'Validates an API key. With a page id, keeps the session alive for that page.',
  headers: {
    [PAGE_ID_HEADER]: {
      description: 'Id of the browser page that keeps the session alive.',
      pattern: PAGE_ID,
    },
  },
  answer: z.object({ email: z.string(), name: z.string() }),
})

const SignedOut = z.object({ message: z.string() })

export const logout = endpoint({
  method: 'POST',
  path: '/dta/logout',
  auth: 'none',
  summary: 'Signs out: immediately, or after a grace period if a page id is sent.',
  headers: {
    [API_KEY_HEADER]: 'Session key.',
    [PAGE_ID_HEADER]: { description: 'Id of the browser page being closed.', pattern: PAGE_ID },
  },
  answer: SignedOut,
})

export const logoutFiles = endpoint({
  ...logout,
  path: '/file_manager/logout',
  summary: 'Same as /dta/logout; the web client sends both.',
})

export const requestDevelopmentToken = endpoint({
  method: 'POST',
  path: '/dev/identity/token',
  auth: 'none',
  summary: 'Development only: returns an ID token for any email address.',
  errors: ['forbidden'],
  body: z.object({
    email: z.email().max(320),
    name: z.string().max(200).default(''),
    /** The page's nonce; scripts omit it and get a token with a new one. */
    nonce: z.string().max(500).optional(),
  }),
  answer: z.object({ id_token: z.string() }),
})
