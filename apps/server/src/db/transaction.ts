/**
 * Runs work in one transaction: all of it happens, or none of it. Inside, use `trx` for everything:
 * the embedded database has one connection, and waiting for a second one waits for itself.
 */
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
