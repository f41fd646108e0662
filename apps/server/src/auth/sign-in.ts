/** Turns a person's ID token into a session key; makes the user at the first time. */
import type { Database, Trx } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { AppError } from '#server/http/app-error.ts'
import { inactiveUser } from '#server/http/caller.ts'
import { bucketsOf, noteFailure, refuseAfterFailures } from './failed-sign-ins.ts'
import { claimedAccount, type Identity, InvalidTokenError, readIdToken } from './id-token.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { forgetDeadKeys, mintKey } from './keys.ts'
import { type Nonces, spendNonce } from './nonces.ts'

export type SignInParts = {
  db: Database
  provider: IdentityProvider
  nonces: Nonces
  initialCredits: number
}

export async function signIn(
  parts: SignInParts,
  idToken: string,
  { address, now }: { address: string; now: Date },
): Promise<string> {
  try {
    const identity = await readIdentity(parts, idToken, now)
    return await inTransaction(parts.db, (trx) => openSession(parts, trx, { identity, now }))
  } catch (error) {
    if (!(error instanceof InvalidTokenError)) throw error
    // A token cannot be guessed, so only failures are held back: nobody can lock out somebody else.
    const buckets = bucketsOf('user', claimedAccount(idToken), address)
    await refuseAfterFailures(parts.db, buckets, now)
    await noteFailure(parts.db, buckets, now)
    throw new AppError('not_signed_in', 'Google sign-in failed. Please try again.', {
      cause: error,
    })
  }
}

async function readIdentity(parts: SignInParts, idToken: string, now: Date): Promise<Identity> {
  const identity = await readIdToken(parts.provider, idToken, now)
  if (!parts.nonces.isValid(identity.nonce, now)) {
    throw new InvalidTokenError('the nonce is not ours, or too old')
  }
  if (!identity.isEmailVerified) {
    throw new AppError('forbidden', 'The e-mail address of this Google account is not verified.')
  }
  return identity
}

type Arrival = { identity: Identity; now: Date }

async function openSession(parts: SignInParts, trx: Trx, arrival: Arrival): Promise<string> {
  const { identity, now } = arrival
  if (!(await spendNonce(trx, identity.nonce, now))) {
    throw new InvalidTokenError('the nonce was used before')
  }
  const user =
    (await findUser(trx, identity)) ??
    (await linkByGoogleId(trx, identity)) ??
    (await linkByEmail(trx, identity)) ??
    (await createUser(trx, arrival, parts.initialCredits)) ??
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

/** An administrator made the user for this address. It is verified, and whoever comes first with it stays. */
function linkByEmail(trx: Trx, { issuer, subject, email }: Identity) {
  return trx
    .updateTable('users')
    .set({ issuer, subject, google_id: subject })
    .where(({ fn }) => fn('lower', ['email']), '=', email.toLowerCase())
    .where('subject', 'is', null)
    .where('google_id', 'is', null)
    .returning(['id', 'is_active'])
    .executeTakeFirst()
}

/** Undefined where the same person has just been made in another transaction. */
async function createUser(trx: Trx, { identity, now }: Arrival, credits: number) {
  const { issuer, subject, email, name } = identity
  const user = await trx
    .insertInto('users')
    .values({ issuer, subject, email, name, google_id: subject, credits, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'is_active'])
    .executeTakeFirst()
  if (user === undefined) return undefined
  const first = { userId: user.id, credits, reason: 'first sign-in', actor: 'server' } as const
  await noteFirstCredits(trx, first)
  return user
}
