/**
 * The accounts that a user signs in with. Only a session manages them, and what a provider returns counts only for the
 * user who asked: the nonce is made for them.
 */
import {
  addSignIn,
  beginSignInAccount,
  listSignIns,
  removeSignIn,
  type SignInAccount,
} from '@pkdex/contract'
import type { Caller } from '#server/auth/caller.ts'
import { setCreditsLeft } from '#server/auth/deleted-people.ts'
import { route } from '#server/auth/guarded-routes.ts'
import type { Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { readCallerAddress } from '#server/platform/limits/caller-address.ts'
import type { Identity } from './id-token.ts'
import { addIdentity, isTaken, listIdentities } from './identities.ts'
import { beginSignIn, type OidcConfig } from './oidc.ts'
import { googleProof, oidcProof, type SignInDependencies, spendProof } from './sign-in.ts'

export type SignInsDependencies = Pick<SignInDependencies, 'db' | 'provider' | 'nonces'> & {
  oidc: OidcConfig
  now: () => Date
}

export function signInRoutes(dependencies: SignInsDependencies): Feature {
  const { db, provider, nonces, oidc, now } = dependencies
  return (app) => {
    route(app, listSignIns, async ({ userId, reply }) => {
      void reply.header('Cache-Control', 'no-store')
      const accounts = await listIdentities(db, userId)
      const has = (issuer: string) => accounts.some((one) => one.issuer === issuer)
      const isWithGoogle =
        oidc.providers.length > 0 && provider.clientId !== '' && !has(provider.issuers[0])
      return {
        sign_ins: accounts.map((one) => toSignIn(dependencies, one)),
        providers: oidc.providers.filter(({ issuer }) => !has(issuer)).map(({ name }) => name),
        google_nonce: isWithGoogle ? nonces.mint(now(), purposeOf(userId)) : null,
      }
    })
    // Without another provider there is nothing to add or remove.
    if (oidc.providers.length > 0) changingRoutes(dependencies)(app)
  }
}

function changingRoutes(dependencies: SignInsDependencies): Feature {
  const { db, provider, nonces, oidc, now } = dependencies
  return (app) => {
    route(app, beginSignInAccount, async ({ userId, caller, body, reply }) => {
      expectSession(caller)
      void reply.header('Cache-Control', 'no-store')
      return beginSignIn(oidc, body.provider, nonces.mint(now(), purposeOf(userId)))
    })
    route(app, addSignIn, async ({ userId, caller, body, request }) => {
      expectSession(caller)
      const proof =
        'id_token' in body ? googleProof(provider, body.id_token) : oidcProof(oidc, body)
      const moment = {
        address: readCallerAddress(request),
        now: now(),
        purpose: purposeOf(userId),
        // Not 401: the session itself is valid.
        refusal: 'invalid_request',
      } as const
      await spendProof(dependencies, proof, moment, (trx, identity) =>
        add(trx, userId, identity, now()),
      )
      return { message: `You can now sign in with ${proof.provider}, too.` }
    })
    route(app, removeSignIn, async ({ userId, caller, param }) => {
      expectSession(caller)
      const removal = { userId, id: param('id'), keyId: caller.key.id, now: now() }
      await inTransaction(db, (trx) => remove(trx, removal, provider.issuers[0]))
      return { message: 'The sign-in was removed. Your other sessions have ended.' }
    })
  }
}

const purposeOf = (userId: string) => ` for ${userId}`

function expectSession({ key }: Caller): void {
  if (key.kind === 'session') return
  throw new AppError('forbidden', 'Sign in to change how you sign in. An API key cannot do this.')
}

type Account = Awaited<ReturnType<typeof listIdentities>>[number]

/** Two providers may have the same issuer; the first one names it. */
function toSignIn(
  { provider, oidc }: Pick<SignInsDependencies, 'provider' | 'oidc'>,
  { id, issuer, email, created_at }: Account,
): SignInAccount {
  const named =
    issuer === provider.issuers[0]
      ? provider.development === null
        ? 'Google'
        : 'Development sign-in'
      : oidc.providers.find((one) => one.issuer === issuer)?.name
  return { id, provider: named ?? issuer, email, added_at: created_at.toISOString() }
}

/** Changes of one user's accounts are serialised. */
async function lock(trx: Trx, userId: string): Promise<Account[]> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  return listIdentities(trx, userId)
}

async function add(trx: Trx, userId: string, identity: Identity, now: Date): Promise<void> {
  const accounts = await lock(trx, userId)
  const { issuer, subject, provider } = identity
  if (accounts.some((one) => one.issuer === issuer && one.subject === subject)) {
    throw new AppError('conflict', `You sign in with this ${provider} account already.`)
  }
  if (accounts.some((one) => one.issuer === issuer)) {
    const message = `You sign in with another ${provider} account. Remove it first.`
    throw new AppError('conflict', message)
  }
  if (await isTaken(trx, identity)) {
    const message = `This ${provider} account belongs to another user of this server.`
    throw new AppError('conflict', message)
  }
  await addIdentity(trx, userId, identity, now)
}

type Removal = { userId: string; id: string; keyId: string; now: Date }

async function remove(
  trx: Trx,
  { userId, id, keyId, now }: Removal,
  googleIssuer: string,
): Promise<void> {
  const accounts = await lock(trx, userId)
  const account = isUuid(id) ? accounts.find((one) => one.id === id) : undefined
  if (account === undefined) throw new AppError('not_found', 'Sign-in not found.')
  if (accounts.length === 1) {
    throw new AppError('conflict', 'This is your only sign-in. Add another one first.')
  }
  await trx.updateTable('identities').set({ removed_at: now }).where('id', '=', id).execute()
  // A new account of this person starts without credits: they were given here.
  await setCreditsLeft(trx, account, 0)
  if (account.issuer === googleIssuer) {
    await trx.updateTable('users').set({ google_id: null }).where('id', '=', userId).execute()
  }
  await trx
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('kind', '=', 'session')
    .where('id', '<>', keyId)
    .where('revoked_at', 'is', null)
    .execute()
}
