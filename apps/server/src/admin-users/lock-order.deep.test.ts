/** Deleting a user and finishing that user's order take their locks in the same order, so neither is rolled back. */
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { refundCredits } from '#server/credits/service.ts'
import { readTestDatabaseUrl } from '#server/main/settings.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { holdLock } from '#server/platform/db/transaction.ts'
import { removeUser } from './service.ts'

const t = await openTestPredictions()
afterAll(() => t.close())

/** The embedded database has one connection, so nothing waits for a lock. */
test.skipIf(readTestDatabaseUrl() === undefined)(
  'a user is deleted while a screen ends, without a deadlock (needs PKDEX_TEST_DATABASE_URL)',
  async () => {
    const user = await t.addUser({ credits: 10, targets: 1, compounds: 2 })
    const { id } = await user.started()
    const { userId } = user
    let deletion: Promise<void> | undefined
    // In the order of settle.ts: the lock on the user's orders, the row of the order, the balance.
    await t.db.transaction().execute(async (trx) => {
      // A deadlock would abort this transaction, which is not retried, rather than the deletion, which is.
      await sql`set local deadlock_timeout = '20ms'`.execute(trx)
      await holdLock(trx, 'predictionRequests', userId)
      await trx.selectFrom('orders').select('id').where('id', '=', id).forUpdate().execute()
      deletion = removeUser(t.db, { administrator: 'admin@lab.example', userId, now: new Date() })
      deletion.catch(() => undefined)
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 20_000 })
      const refund = { userId, amount: 1, taskId: id, reason: 'screen refund' as const }
      expect(await refundCredits(trx, refund)).toBe(9)
    })
    await deletion
    const left = await t.db.selectFrom('orders').select('id').where('id', '=', id).execute()
    expect(left).toEqual([])
  },
  60_000,
)

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db)
  return rows[0]?.count ?? 0
}
