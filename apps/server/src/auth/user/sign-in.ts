/** Exchanges an ID token for a session key; creates the user at the first sign-in. */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { hashKey, inactiveUser } from '#server/auth/caller.ts'
import { bucketsOf, noteFailure, refuseAfterFailures } from '#server/auth/failed-sign-ins.ts'
import {
  claimedAccount,
  domainOf,
  type Identity,
  InvalidTokenError,
  readIdToken,
} from './id-token.ts'
import { addIdentity, findByTrustedEmail, findUser, isEmail } from './identities.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { findCreditsLeft } from '#server/auth/deleted-people.ts'
import { forgetDeadKeys, mintKey } from '#server/auth/keys.ts'
import { type Nonces, spendNonce } from './nonces.ts'
import { type OidcConfig, type OidcReturn, readReturn } from './oidc.ts'

export type SignInDependencies = {
  db: Database
  provider: IdentityProvider
  nonces: Nonces
  firstCredits: FirstCredits
  signUp: SignUp
}

/** Who may sign up without an invitation; an empty list of domains means everybody. */
export type SignUp = { isOpen: boolean; domains: string[] }

/** Initial credits, recorded in the transaction that creates the user. */
type FirstCredits = {
  amount: number
  note: (
    trx: Trx,
    first: { userId: string; credits: number; reason: 'first sign-in'; actor: 'server' },
  ) => Promise<void>
}

export async function signIn(
  dependencies: SignInDependencies,
  proof: Proof,
  { address, invitation, now }: { address: string; invitation?: string | undefined; now: Date },
): Promise<string> {
  const moment = { address, now, purpose: '', refusal: 'not_signed_in' } as const
  return spendProof(dependencies, proof, moment, (trx, identity) =>
    openSession(dependencies, trx, { identity, invitation, now }),
  )
}

/** `purpose`: what the nonce was made for. */
type Moment = {
  address: string
  now: Date
  purpose: string
  refusal: 'not_signed_in' | 'invalid_request'
}

/** Uses a proof once, in one transaction. Failures are delayed. */
export async function spendProof<Answer>(
  dependencies: Pick<SignInDependencies, 'db' | 'nonces'>,
  proof: Proof,
  moment: Moment,
  use: (trx: Trx, identity: Identity) => Promise<Answer>,
): Promise<Answer> {
  const { db } = dependencies
  return delayFailures(db, proof, moment, async () => {
    const identity = await readIdentity(dependencies, proof, moment)
    return inTransaction(db, async (trx) => {
      if (!(await spendNonce(trx, identity.nonce, moment.now))) {
        throw new InvalidTokenError('the nonce was used before')
      }
      // One at a time for an identity, so that ten first sign-ins create one user.
      await holdLock(trx, 'userIdentity', JSON.stringify([identity.issuer, identity.subject]))
      return use(trx, identity)
    })
  })
}

async function delayFailures<Answer>(
  db: Database,
  { provider, account }: Proof,
  { address, now, refusal }: Moment,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error
    // A token cannot be guessed, so only failures are delayed: one user cannot lock out another.
    const buckets = bucketsOf('user', account, address)
    await refuseAfterFailures(db, buckets, now)
    await noteFailure(db, buckets, now)
    throw new AppError(refusal, `${provider} sign-in failed. Try again.`, {
      cause: error,
    })
  }
}

/** What a provider says about a person, still to be verified. */
export type Proof = {
  provider: string
  /** The account that it claims to be of; null if unknown. */
  account: string | null
  read: (now: Date) => Promise<Identity>
}

export function googleProof(provider: IdentityProvider, idToken: string): Proof {
  return {
    provider: 'Google',
    account: claimedAccount(idToken),
    read: (now) => readIdToken(provider, idToken, now),
  }
}

/** `keepToken` gets the ID token, for signing out at the provider. */
export function oidcProof(
  config: OidcConfig,
  returned: OidcReturn,
  keepToken: (idToken: string) => void = () => undefined,
): Proof {
  return {
    provider: returned.provider,
    account: null,
    async read() {
      const { identity, idToken } = await readReturn(config, returned)
      keepToken(idToken)
      return identity
    },
  }
}

async function readIdentity(
  dependencies: Pick<SignInDependencies, 'nonces'>,
  proof: Proof,
  { now, purpose }: Moment,
): Promise<Identity> {
  const identity = await proof.read(now)
  if (!dependencies.nonces.isValid(identity.nonce, now, purpose)) {
    throw new InvalidTokenError('the nonce is not ours, or too old')
  }
  if (!identity.isEmailVerified) {
    const message = `The email address of this ${identity.provider} account is not verified.`
    throw new AppError('forbidden', message)
  }
  return identity
}

/** `invitation`: the code of the invitation link, if the person used one. */
type Arrival = { identity: Identity; invitation: string | undefined; now: Date }

async function openSession(
  dependencies: SignInDependencies,
  trx: Trx,
  arrival: Arrival,
): Promise<string> {
  const { identity, now } = arrival
  const known = await findUser(trx, identity)
  const linked =
    known ??
    (await findByGoogleId(trx, identity)) ??
    (await findByInvitation(trx, arrival)) ??
    (await findInvitedByEmail(trx, identity)) ??
    (await findByTrustedEmail(trx, identity))
  const user = linked ?? (await createUser(trx, arrival, dependencies))
  if (!user.is_active) throw inactiveUser()
  if (known === undefined) await addIdentity(trx, user.id, identity, now)
  await forgetDeadKeys(trx, user.id, now)
  return mintKey(trx, { userId: user.id, kind: 'session', now })
}

/** An administrator created the user for this Google account. */
async function findByGoogleId(trx: Trx, { subject, isGoogle }: Identity) {
  if (!isGoogle) return undefined
  return selectInvited(trx).where('google_id', '=', subject).executeTakeFirst()
}

/** An administrator sent this link, which is stronger than an email match. Two people who open it are serialised. */
async function findByInvitation(trx: Trx, { invitation, now }: Arrival) {
  if (invitation === undefined) return undefined
  const found = await trx
    .deleteFrom('invitations')
    .where('code_hash', '=', hashKey(invitation))
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (found === undefined) return undefined
  return selectInvited(trx)
    .where('id', '=', found.user_id)
    .where('google_id', 'is', null)
    .executeTakeFirst()
}

/** The user whom an administrator created for this address. The provider vouches for the address. */
async function findInvitedByEmail(trx: Trx, { email, isEmailTrusted }: Identity) {
  if (!isEmailTrusted) return undefined
  return selectInvited(trx).where(isEmail(email)).where('google_id', 'is', null).executeTakeFirst()
}

/** Users as whom nobody has signed in yet. */
function selectInvited(trx: Trx) {
  return trx
    .selectFrom('users')
    .select(['id', 'is_active'])
    .where('has_signed_in', '=', false)
    .forUpdate()
}

/** The domain counts only if the provider vouches for the address; otherwise anyone could claim it. */
function maySignUp({ email, isEmailTrusted }: Identity, { isOpen, domains }: SignUp): boolean {
  if (!isOpen) return false
  return domains.length === 0 || (isEmailTrusted && domains.includes(domainOf(email)))
}

/** The email of this invitation proves nothing, so the person needs an invitation link. */
async function refuseArrival(trx: Trx, identity: Identity, signUp: SignUp): Promise<AppError> {
  const { email } = identity
  const invited = await trx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('has_signed_in', '=', false)
    .executeTakeFirst()
  if (invited === undefined) return uninvited(identity, signUp)
  return new AppError(
    'forbidden',
    `You are invited, but ${identity.provider} does not manage ${email}, so it does not prove who you are. Ask your administrator for an invitation link.`,
  )
}

function uninvited({ email }: Identity, { isOpen, domains }: SignUp): AppError {
  const reason = isOpen
    ? `Sign-up is limited to ${domains.join(', ')} and invited users. ${email} is neither.`
    : `Sign-up is by invitation only, and ${email} has not been invited.`
  return new AppError('forbidden', `${reason} Ask your administrator.`)
}

async function createUser(
  trx: Trx,
  { identity, invitation, now }: Arrival,
  { firstCredits, signUp }: SignInDependencies,
) {
  // An invited person must not get a second user.
  if (invitation !== undefined) {
    throw new AppError(
      'forbidden',
      'This invitation link was used, replaced or has expired. Ask your administrator for a new one.',
    )
  }
  if (!maySignUp(identity, signUp)) throw await refuseArrival(trx, identity, signUp)
  const { email, name, isEmailProven } = identity
  const { amount, note } = firstCredits
  const credits = (await findCreditsLeft(trx, identity)) ?? amount
  const user = await trx
    .insertInto('users')
    .values({
      google_id: identity.isGoogle ? identity.subject : null,
      has_signed_in: true,
      email,
      is_email_proven: isEmailProven,
      name,
      credits,
      created_at: now,
    })
    .returning(['id', 'is_active'])
    .executeTakeFirstOrThrow()
  await note(trx, { userId: user.id, credits, reason: 'first sign-in', actor: 'server' })
  return user
}
