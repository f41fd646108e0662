/**
 * Runs work in one transaction: all of it happens, or none of it. Inside, use `trx` for everything:
 * the embedded database has one connection, and waiting for a second one waits for itself.
 * Names every advisory lock, so that no two of them meet by accident.
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

/** What a lock protects, and the number that keeps it apart from the others in the database. */
const lockSpaces = {
  /** Requests for predictions of one user. */
  predictionRequests: 0,
  /** Names of one user's targets and compounds. */
  fileNames: 1,
  /** Failed sign-ins that are counted together. */
  signInFailures: 2,
  /** An e-mail or a Google ID that is given to a user. */
  userIdentity: 3,
  /** What administrators ask for under one key. */
  administratorRequests: 13,
  /** Measured values of one user. */
  measurements: 9,
} as const

/** For the databases of tests, which are copied from one template: a number of 32 bits, so in a space of its own. */
export const TEMPLATE_LOCK = 726_113

/** Several at once, in one order for everybody, so that nobody waits in a circle. */
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

/** Until the transaction ends, nobody else holds the same value of the same space. */
export async function holdLock(
  trx: Trx,
  space: keyof typeof lockSpaces,
  value: string,
): Promise<void> {
  const seed = sql.lit(lockSpaces[space])
  await sql`select pg_advisory_xact_lock(hashtextextended(${value}, ${seed}))`.execute(trx)
}
