/**
 * Moves data of an earlier version to where this one keeps them: each slice is a transaction, so after a kill the next
 * start goes on with what is left.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Log } from '#server/platform/log.ts'
import type { Database, Trx } from './schema.ts'
import { inTransaction, MIGRATION_LOCK } from './transaction.ts'

export type Move = {
  /** For the log. */
  what: string
  /** False once everything is moved. */
  isLeft: RawBuilder<boolean>
  /** How many blocks are left. */
  count: RawBuilder<number>
  /** Returns how many blocks it moved; 0 if none were left. */
  moveSlice: (trx: Trx) => Promise<number>
  /** After the last slice: `isLeft` is false from then on. */
  finish: (trx: Trx) => Promise<void>
}

const SAY_EVERY_MS = 5000

export async function moveInSlices(
  db: Database,
  { what, isLeft, count, moveSlice, finish }: Move,
  log: Pick<Log, 'info'>,
): Promise<void> {
  if (!(await readOne(db, isLeft))) return
  const left = await readOne(db, count)
  const startedMs = performance.now()
  if (left > 0) log.info({ blocks: left }, `${what} of an earlier version are being migrated`)
  let [moved, saidMs] = [0, startedMs]
  for (;;) {
    const slice = await inTransaction(db, async (trx) => {
      await holdMigration(trx)
      return (await readOne(trx, isLeft)) ? moveSlice(trx) : null
    })
    if (slice === null) return
    if (slice === 0) break
    moved += slice
    if (performance.now() - saidMs < SAY_EVERY_MS) continue
    saidMs = performance.now()
    log.info({ moved, blocks: left }, `${what} of an earlier version are being migrated`)
  }
  await inTransaction(db, async (trx) => {
    await holdMigration(trx)
    if (await readOne(trx, isLeft)) await finish(trx)
  })
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  if (left > 0) log.info({ blocks: left, seconds }, `${what} of an earlier version were migrated`)
}

/** Several processes may start at once. */
async function holdMigration(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(trx)
}

async function readOne<Value>(db: Database | Trx, value: RawBuilder<Value>): Promise<Value> {
  const { rows } = await sql<{ value: Value }>`select ${value} as value`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a query without an answer')
  return row.value
}
