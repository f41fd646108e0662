/** Turns a person's ID token into a session key; makes the user at the first time. */
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { inactiveUser } from '#server/auth/caller.ts'
import { bucketsOf, noteFailure, refuseAfterFailures } from '#server/auth/failed-sign-ins.ts'
import {
  claimedAccount,
  domainOf,
  type Identity,
  InvalidTokenError,
  readIdToken,
} from './id-token.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { forgetDeadKeys, mintKey } from '#server/auth/keys.ts'
import { type Nonces, spendNonce } from './nonces.ts'

export type SignInDependencies = {
  db: Database
  provider: IdentityProvider
  nonces: Nonces
  firstCredits: FirstCredits
  signUp: SignUp
}

/** Who may become a user without an invitation. No domains: everybody. */
export type SignUp = { isOpen: boolean; domains: string[] }

/** What a new user gets, and how it is noted in the transaction that makes the user. */
type FirstCredits = {
  amount: number
  note: (
    trx: Trx,
    first: { userId: string; credits: number; reason: 'first sign-in'; actor: 'server' },
  ) => Promise<void>
}

export async function signIn(
  dependencies: SignInDependencies,
  idToken: string,
  { address, now }: { address: string; now: Date },
): Promise<string> {
  try {
    const identity = await readIdentity(dependencies, idToken, now)
    return await inTransaction(dependencies.db, (trx) =>
      openSession(dependencies, trx, { identity, now }),
    )
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error
    // A token cannot be guessed, so only failures are held back: nobody can lock out somebody else.
    const buckets = bucketsOf('user', claimedAccount(idToken), address)
    await refuseAfterFailures(dependencies.db, buckets, now)
    await noteFailure(dependencies.db, buckets, now)
    throw new AppError('not_signed_in', 'Google sign-in failed. Please try again.', {
      cause: error,
    })
  }
}

async function readIdentity(
  dependencies: SignInDependencies,
  idToken: string,
  now: Date,
): Promise<Identity> {
  const identity = await readIdToken(dependencies.provider, idToken, now)
  if (!dependencies.nonces.isValid(identity.nonce, now)) {
    throw new InvalidTokenError('the nonce is not ours, or too old')
  }
  if (!identity.isEmailVerified) {
    throw new AppError('forbidden', 'The e-mail address of this Google account is not verified.')
  }
  return identity
}

type Arrival = { identity: Identity; now: Date }

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
      // Waits for an administrator who is giving the user to somebody else.
      .forUpdate()
      .executeTakeFirst()
  )
}

/** An administrator made the user for this Google account. */
function linkByGoogleId(trx: Trx, { issuer, subject }: Identity) {
  return trx
    .updateTable('users')
    .set({ issuer, subject })
    .where('google_id', '=', subject)
    .where('subject', 'is', null)
    .returning(['id', 'is_active'])
    .executeTakeFirst()
}

/** An administrator made the user for this address. It is the provider's own, and whoever comes first with it stays. */
async function linkByEmail(trx: Trx, { issuer, subject, email, isEmailTrusted }: Identity) {
  if (!isEmailTrusted) return undefined
  return (
    trx
      .updateTable('users')
      .set({ issuer, subject, google_id: subject })
      // The first finds by the index. The second decides: some servers fold more than A to Z, as the Kelvin sign to k.
      .where(sql<boolean>`lower(email) = lower(${email})`)
      .where(sql<boolean>`lower(email collate "C") = lower(${email}::text collate "C")`)
      .where('subject', 'is', null)
      .where('google_id', 'is', null)
      .returning(['id', 'is_active'])
      .executeTakeFirst()
  )
}

/** A domain counts where the provider vouches for the address: anybody may claim another. */
function maySignUp({ email, isEmailTrusted }: Identity, { isOpen, domains }: SignUp): boolean {
  if (!isOpen) return false
  return domains.length === 0 || (isEmailTrusted && domains.includes(domainOf(email)))
}

function uninvited({ email }: Identity, { isOpen, domains }: SignUp): AppError {
  const whom = isOpen ? `to people of ${domains.join(', ')} and by invitation` : 'by invitation'
  return new AppError(
    'forbidden',
    `This pKdex is open ${whom} only, and ${email} has not been invited. Please ask its administrator.`,
  )
}

/** Undefined where the same person has just been made in another transaction. */
async function createUser(
  trx: Trx,
  { identity, now }: Arrival,
  { firstCredits, signUp }: SignInDependencies,
) {
  if (!maySignUp(identity, signUp)) throw uninvited(identity, signUp)
  const { issuer, subject, email, name } = identity
  const { amount: credits, note } = firstCredits
  const user = await trx
    .insertInto('users')
    .values({ issuer, subject, email, name, google_id: subject, credits, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'is_active'])
    .executeTakeFirst()
  if (user === undefined) return undefined
  await note(trx, { userId: user.id, credits, reason: 'first sign-in', actor: 'server' })
  return user
}
