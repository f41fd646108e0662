/** With which accounts of sign-in providers a user signs in: listed, added and removed on the Account page. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { beginOidc, finishOidc } from './oidc.ts'
import { Moment } from './text.ts'

export const SignInAccount = z.object({
  id: z.string(),
  provider: z
    .string()
    .describe('Its name on the button, or its address if it is no longer offered.'),
  email: z.string().describe('As the provider said at the last sign-in.'),
  added_at: Moment,
})
export type SignInAccount = z.infer<typeof SignInAccount>

export const listSignIns = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/account/sign-ins',
  summary: 'Lists the accounts that you sign in with, oldest first, and the providers to add.',
  answer: z.object({
    sign_ins: z.array(SignInAccount),
    providers: z
      .array(z.string())
      .describe('Names of other OpenID Connect providers that have no account here yet.'),
    google_nonce: z
      .string()
      .nullable()
      .describe(
        'For an ID token of Google; null if Google is not offered or has an account here already.',
      ),
  }),
})

export const beginSignInAccount = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/account/sign-ins/begin',
  summary:
    'Starts to add an account of an OpenID Connect provider: the address to go to, and what to keep for the return. Requires a session.',
  errors: ['forbidden', 'unavailable'],
  body: beginOidc.body,
  answer: beginOidc.answer,
})

const { provider, flow, parameters } = finishOidc.body.shape

export const addSignIn = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/account/sign-ins',
  summary:
    'Adds an account to sign in with, proven by what a provider returned or by an ID token of Google. Requires a session.',
  errors: ['forbidden', 'conflict', 'unavailable'],
  body: z.union([
    z.strictObject({ provider, flow, parameters }),
    z.strictObject({ id_token: z.string().min(1).max(10_000) }),
  ]),
  answer: z.object({ message: z.string() }),
})

export const removeSignIn = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/account/sign-ins/:id',
  summary:
    'Removes an account, but never the last one; ends your other sessions. Requires a session.',
  errors: ['forbidden', 'not_found', 'conflict'],
  answer: z.object({ message: z.string() }),
})
