/** Exchanges an ID token for a session key; creates the user at the first sign-in. */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
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
  return delayFailures(dependencies.db, proof, { address, now }, async () => {
    const identity = await readIdentity(dependencies, proof, now)
    return inTransaction(dependencies.db, (trx) =>
      openSession(dependencies, trx, { identity, invitation, now }),
    )
  })
}

async function delayFailures<Answer>(
  db: Database,
  { provider, account }: Proof,
  { address, now }: { address: string; now: Date },
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
    throw new AppError('not_signed_in', `${provider} sign-in failed. Try again.`, {
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

export function oidcProof(config: OidcConfig, returned: OidcReturn): Proof {
  return {
    provider: returned.provider,
    account: null,
    read: () => readReturn(config, returned),
  }
}

async function readIdentity(
  dependencies: SignInDependencies,
  proof: Proof,
  now: Date,
): Promise<Identity> {
  const identity = await proof.read(now)
  if (!dependencies.nonces.isValid(identity.nonce, now)) {
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
  if (!(await spendNonce(trx, identity.nonce, now))) {
    throw new InvalidTokenError('the nonce was used before')
  }
  const user =
    (await findUser(trx, identity)) ??
    (await linkByGoogleId(trx, identity)) ??
    (await linkByInvitation(trx, arrival)) ??
    (await linkByEmail(trx, identity)) ??
    (await createUser(trx, arrival, dependencies)) ??
    (await findUser(trx, identity))
  if (user === undefined) throw new Error('a new user is not there')
  if (!user.is_active) throw inactiveUser()
  await forgetDeadKeys(trx, user.id, now)
  return mintKey(trx, { userId: user.id, kind: 'session', now })
}

function findUser(trx: Trx, { issuer, subject }: Identity) {
  return (
    trx
      .selectFrom('users')
      .select(['id', 'is_active'])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      // Waits while an administrator is linking this user to another Google account.
      .forUpdate()
      .executeTakeFirst()
  )
}

/** An administrator created the user for this Google account. */
async function linkByGoogleId(trx: Trx, { issuer, subject, isGoogle }: Identity) {
  if (!isGoogle) return undefined
  return trx
    .updateTable('users')
    .set({ issuer, subject })
    .where('google_id', '=', subject)
    .where('subject', 'is', null)
    .returning(['id', 'is_active'])
    .executeTakeFirst()
}

/** An administrator sent this link, which is stronger than an email match. Two people who open it are serialised. */
async function linkByInvitation(trx: Trx, { identity, invitation, now }: Arrival) {
  if (invitation === undefined) return undefined
  const found = await trx
    .deleteFrom('invitations')
    .where('code_hash', '=', hashKey(invitation))
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  if (found === undefined) return undefined
  return trx
    .updateTable('users')
    .set(linkOf(identity))
    .where('id', '=', found.user_id)
    .where('subject', 'is', null)
    .where('google_id', 'is', null)
    .returning(['id', 'is_active'])
    .executeTakeFirst()
}

/** Links a user that an administrator created for this address. The provider vouches for the address. */
async function linkByEmail(trx: Trx, identity: Identity) {
  const { email, isEmailTrusted } = identity
  if (!isEmailTrusted) return undefined
  return (
    trx
      .updateTable('users')
      .set(linkOf(identity))
      // The first condition uses the index. The second one decides, because some servers lower-case more than A to Z,
      // such as the Kelvin sign to k.
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .where(sql<boolean>`lower(email collate "C") = lower(${email}::text collate "C")`)
      .where('subject', 'is', null)
      .where('google_id', 'is', null)
      .returning(['id', 'is_active'])
      .executeTakeFirst()
  )
}

/** Administrators assign Google IDs only. */
function linkOf({ issuer, subject, isGoogle }: Identity) {
  return { issuer, subject, google_id: isGoogle ? subject : null }
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
    .where('subject', 'is', null)
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

/** Undefined if another transaction has just created the same user. */
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
      ...linkOf(identity),
      email,
      is_email_proven: isEmailProven,
      name,
      credits,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'is_active'])
    .executeTakeFirst()
  if (user === undefined) return undefined
  await note(trx, { userId: user.id, credits, reason: 'first sign-in', actor: 'server' })
  return user
}
