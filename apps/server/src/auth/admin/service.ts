/** Signs administrators in and out. No response to outsiders reveals whether an account exists. */
import { messages } from '@pkdex/contract'
import { hashPassword, isPassword } from './passwords.ts'
import {
  type Bucket,
  areTooMany,
  bucketsOf,
  noteFailure,
  refuseAfterFailures,
} from '#server/auth/failed-sign-ins.ts'
import { recordAction } from '#server/audit/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import type { Administrator } from '#server/auth/administrator.ts'
import { AppError } from '#server/platform/errors.ts'
import { endSession, isLiveSession, type Minted, mintSessionKey, mintToken } from './credentials.ts'

type Attempt = { email: string; password: string; address: string; now: Date }

/** Checking this takes as long as checking an account's own hash. */
const nobodysHash = hashPassword('')

export async function signIn(db: Database, attempt: Attempt): Promise<Minted> {
  const { password, address, now } = attempt
  const email = attempt.email.trim().toLowerCase()
  const buckets = bucketsOf('administrator', email, address)
  await countAttempt(db, buckets, now)
  const account = await findAccount(db, email)
  const isRight = await isPassword(password, account?.password_hash ?? (await nobodysHash))
  if (account === undefined || !isRight) {
    await recordFailure(db, { email, address, now })
    throw new AppError('not_signed_in', messages.admin.loginFailed)
  }
  return inTransaction(db, async (trx) => {
    // The password may have been replaced while the old one was being checked.
    const held = await holdAccount(trx, account.id)
    if (held?.password_hash !== account.password_hash) {
      throw new AppError('not_signed_in', messages.admin.loginFailed)
    }
    await forgetAttempt(trx, buckets, now)
    const subject = `administrator ${account.email}`
    await recordAction(trx, { administrator: account.email, action: 'sign in', subject, now })
    return mintToken(trx, account.id, now)
  })
}

/** Sign-in succeeded: delete the provisional failure record. */
export async function forgetAttempt(trx: Trx, buckets: Bucket[], now: Date): Promise<void> {
  const names = buckets.map(({ name }) => name)
  await trx
    .deleteFrom('sign_in_failures')
    .where('bucket', 'in', names)
    .where('failed_at', '=', now)
    .execute()
}

/** Limit for all accounts and addresses together: the audit log records no more failures in 15 minutes. */
export const AUDITED_MAX = 200
const ATTEMPTED_CHARACTERS_MAX = 200

/** Account names and addresses in attempts are arbitrary input. */
async function recordFailure(
  db: Database,
  { email, address, now }: Omit<Attempt, 'password'>,
): Promise<void> {
  const all = { name: 'administrator audited', max: AUDITED_MAX }
  await inTransaction(db, async (trx) => {
    await holdLock(trx, 'signInFailures', all.name)
    if (await areTooMany(trx, all, now)) return
    await noteFailure(trx, [all], now)
    const attempted = email.slice(0, ATTEMPTED_CHARACTERS_MAX).replaceAll(/\p{Cc}/gu, ' ')
    await recordAction(trx, {
      administrator: 'nobody',
      action: 'fail to sign in',
      subject: `administrator ${attempted}`,
      after: { address },
      now,
    })
  })
}

/** Counted one at a time before the password check, so parallel guesses cannot bypass the limit. */
export async function countAttempt(db: Database, buckets: Bucket[], now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const { name } of buckets) {
      await holdLock(trx, 'signInFailures', name)
    }
    await refuseAfterFailures(trx, buckets, now)
    await noteFailure(trx, buckets, now)
  })
}

export async function makeKey(db: Database, owner: Administrator, now: Date): Promise<Minted> {
  return inTransaction(db, async (trx) => {
    const { id: sessionId, expiresAt: sessionEnd } = owner.session
    // The session may have ended since its token was read.
    await holdAccount(trx, owner.id)
    if (!(await isLiveSession(trx, sessionId))) {
      throw new AppError('not_signed_in', messages.admin.sessionExpired)
    }
    const subject = `administrator ${owner.email}`
    await recordAction(trx, { administrator: owner.email, action: 'create own key', subject, now })
    return mintSessionKey(trx, { administratorId: owner.id, sessionId, sessionEnd }, now)
  })
}

export async function signOut(db: Database, owner: Administrator, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await holdAccount(trx, owner.id)
    const subject = `administrator ${owner.email}`
    await recordAction(trx, { administrator: owner.email, action: 'sign out', subject, now })
    await endSession(trx, owner.session.id)
  })
}

/**
 * Locks the account: credentials are created and revoked one at a time, so none survives a concurrent sign-out.
 * Undefined if the account was deleted.
 */
export function holdAccount(trx: Trx, id: string) {
  return trx
    .selectFrom('administrators')
    .select('password_hash')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

function findAccount(db: Database, email: string) {
  return db
    .selectFrom('administrators')
    .select(['id', 'email', 'password_hash'])
    .where(({ fn }) => fn('lower', ['email']), '=', email)
    .executeTakeFirst()
}
