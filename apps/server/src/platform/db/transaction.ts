/**
 * Runs work in one transaction, all or nothing. Inside, use `trx` for everything: the embedded database has one
 * connection, and waiting for a second one would deadlock. Names every advisory lock, so no two collide.
 */
import { sql } from 'kysely'
import type { Database, Trx } from './schema.ts'

const ATTEMPTS = 3
/** PostgreSQL's codes for "not your fault, try again": serialization failure and deadlock. */
const transientCodes = new Set(['40001', '40P01'])

export async function inTransaction<T>(db: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof Error && 'code' in error && transientCodes.has(String(error.code))
}

/** What each lock protects, with its number. */
const lockSpaces = {
  /** A user's prediction requests. */
  predictionRequests: 0,
  /** Names of a user's targets and compounds. */
  fileNames: 1,
  /** Failed sign-ins counted together. */
  signInFailures: 2,
  /** An email or Google ID being assigned to a user. */
  userIdentity: 3,
  /** Administrator requests with the same idempotency key. */
  administratorRequests: 13,
  /** Measured values of a user. */
  measurements: 9,
  /** Comments on a screen, and those of an author. */
  comments: 14,
} as const

/** For test databases, which are copied from one template: a 32-bit number, so in a separate space. */
export const TEMPLATE_LOCK = 726_113

/** Held while the schema of the job queue is created. */
export const QUEUE_LOCK = 726_114

/** Held while results of an earlier version are moved. */
export const MIGRATION_LOCK = 726_115

/** Takes several locks in a fixed order, to avoid deadlocks. */
export async function holdLocks(
  trx: Trx,
  space: keyof typeof lockSpaces,
  values: string[],
): Promise<void> {
  const seed = sql.lit(lockSpaces[space])
  await sql`select pg_advisory_xact_lock(hash) from (
      select distinct hashtextextended(value, ${seed}) as hash
      from unnest(${values}::text[]) as held (value) order by hash
    ) as hashes`.execute(trx)
}

/** Advisory lock on a value in a namespace, held until the transaction ends. */
export async function holdLock(
  trx: Trx,
  space: keyof typeof lockSpaces,
  value: string,
): Promise<void> {
  const seed = sql.lit(lockSpaces[space])
  await sql`select pg_advisory_xact_lock(hashtextextended(${value}, ${seed}))`.execute(trx)
}
