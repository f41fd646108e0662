/** Signing in with other OpenID Connect providers. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const Flow = z.object({
  state: z.string().max(500),
  nonce: z.string().max(500),
  verifier: z.string().max(500),
})
export type OidcFlow = z.infer<typeof Flow>

const provider = z.string().max(60)

export const beginOidc = endpoint({
  method: 'POST',
  path: '/connection/oidc',
  auth: 'none',
  summary:
    'Starts a sign-in with an OpenID Connect provider: the address to go to, and what to keep for the return.',
  errors: ['unavailable'],
  body: z.strictObject({ provider }),
  answer: z.object({ url: z.string(), flow: Flow }),
})

export const finishOidc = endpoint({
  method: 'POST',
  path: '/connection/oidc/finish',
  auth: 'none',
  summary:
    'Ends such a sign-in: exchanges what was kept, and the query of the address that the provider returned to, for a session key.',
  errors: ['not_signed_in', 'forbidden', 'unavailable'],
  body: z.strictObject({
    provider,
    flow: Flow,
    parameters: z.string().max(10_000),
    /** Code of an invitation link, as with Google. */
    invitation: z.string().max(100).optional(),
  }),
  answer: z.object({
    api_key: z.string(),
    id_token: z.string().describe('For signing out at the provider, later.'),
  }),
})

export const findOidcSignOut = endpoint({
  method: 'POST',
  path: '/connection/oidc/sign-out',
  auth: 'none',
  summary: 'Address at which to sign out at the provider, too; null if it has none.',
  errors: ['unavailable'],
  body: z.strictObject({
    provider,
    id_token: z
      .string()
      .max(10_000)
      .optional()
      .describe('Of the sign-in: tells the provider who signs out, so that it need not ask.'),
  }),
  answer: z.object({ url: z.string().nullable() }),
})
