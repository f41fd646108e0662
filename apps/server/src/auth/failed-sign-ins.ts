/** Counts failed sign-ins per account and per IP address, across all processes. */
import { createHash } from 'node:crypto'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'

/** Which failures are counted together, and the limit within the window. */
export type Bucket = { name: string; max: number }

const WINDOW_MS = 15 * 60_000

/** Users and administrators are counted separately, so neither can block the other. */
type Kind = 'user' | 'administrator'

export function bucketsOf(kind: Kind, account: string | null, address: string): Bucket[] {
  const byAddress = { name: `${kind} from ${address}`, max: 30 }
  return account === null
    ? [byAddress]
    : [{ name: accountBucket(kind, account), max: 10 }, byAddress]
}

/** Names sent by strangers are stored as hashes: they may contain anything. */
function accountBucket(kind: Kind, account: string): string {
  return `${kind} ${createHash('sha256').update(account).digest('hex')}`
}

/** After a password reset the administrator does not have to wait. */
export async function forgetFailures(db: Database, kind: Kind, account: string): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('bucket', '=', accountBucket(kind, account))
    .execute()
}

export async function noteFailure(db: Database, buckets: Bucket[], now: Date): Promise<void> {
  const rows = buckets.map(({ name }) => ({ bucket: name, failed_at: now }))
  await db.insertInto('sign_in_failures').values(rows).execute()
  const before = new Date(now.getTime() - WINDOW_MS)
  await db.deleteFrom('sign_in_failures').where('failed_at', '<', before).execute()
}

/** Refuses after too many failures, and says when to try again. */
export async function refuseAfterFailures(
  db: Database,
  buckets: Bucket[],
  now: Date,
): Promise<void> {
  for (const { name, max } of buckets) {
    const failure = await nthLatestFailure(db, { name, max }, now)
    if (failure === undefined) continue
    const waitMs = failure.failed_at.getTime() + WINDOW_MS - now.getTime()
    throw new AppError('too_many_requests', 'Too many failed sign-ins. Try again later.', {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    })
  }
}

export async function areTooMany(db: Database, bucket: Bucket, now: Date): Promise<boolean> {
  return (await nthLatestFailure(db, bucket, now)) !== undefined
}

/** Once this failure leaves the window, fewer than `max` remain in it. */
function nthLatestFailure(db: Database, { name, max }: Bucket, now: Date) {
  return db
    .selectFrom('sign_in_failures')
    .select('failed_at')
    .where('bucket', '=', name)
    .where('failed_at', '>', new Date(now.getTime() - WINDOW_MS))
    .orderBy('failed_at', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst()
}
