/**
 * A session lives as long as a browser page holds it. Closing a page and reloading it look the same to
 * the page, so a closed page only starts a grace period, which ends when any page claims the session.
 */
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { hashKey, isAlive } from '#server/auth/caller.ts'

type Moment = { pageId: string; now: Date }

/** What is known of closed pages is forgotten after this long. */
const CLOSED_PAGE_MS = 3_600_000

/**
 * `/dta/login` from a page. A page that has said goodbye cannot claim: its login was overtaken by its
 * own logout. False where the session ended meanwhile.
 */
export async function claimSession(
  db: Database,
  keyId: string,
  { pageId, now }: Moment,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const session = await lockKey(trx, { id: keyId })
    if (session === undefined || !isAlive(session, now)) return false
    const claimed = await trx
      .insertInto('key_pages')
      .values({ key_id: keyId, page_id: pageId, claimed_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['key_id', 'page_id'])
          .doUpdateSet({ claimed_at: now })
          .where('key_pages.closed_at', 'is', null),
      )
      .returning('page_id')
      .executeTakeFirst()
    if (claimed !== undefined) await setClosing(trx, keyId, null)
    await forgetClosedPages(trx, keyId, now)
    return true
  })
}

/** The page went away. Without another page the session closes after the grace period. */
export async function closePage(
  db: Database,
  key: string,
  { pageId, now, graceMs }: Moment & { graceMs: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const session = await lockKey(trx, { hash: hashKey(key) })
    if (session?.kind !== 'session' || !isAlive(session, now)) return
    const page = { key_id: session.id, page_id: pageId, claimed_at: now, closed_at: now }
    await trx
      .insertInto('key_pages')
      .values(page)
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'page_id']).doUpdateSet({ closed_at: now }),
      )
      .execute()
    if (await hasOpenPage(trx, session.id)) return
    await setClosing(trx, session.id, new Date(now.getTime() + graceMs))
  })
}

/** Signs out at once. Programmatic keys live until an administrator revokes them. */
export async function endSession(db: Database, key: string, now: Date): Promise<void> {
  await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('hash', '=', hashKey(key))
    .where('kind', '=', 'session')
    .where('revoked_at', 'is', null)
    .execute()
}

/** Claims and closings of one session wait for each other, so that none acts on what another changes. */
function lockKey(trx: Trx, sought: { id: string } | { hash: Buffer }) {
  return trx
    .selectFrom('keys')
    .select(['id', 'kind', 'revoked_at', 'idle_expires_at', 'expires_at', 'closes_at'])
    .where((is) => is.and(sought))
    .forUpdate()
    .executeTakeFirst()
}

async function hasOpenPage(trx: Trx, keyId: string): Promise<boolean> {
  const page = await trx
    .selectFrom('key_pages')
    .select('page_id')
    .where('key_id', '=', keyId)
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return page !== undefined
}

async function setClosing(trx: Trx, keyId: string, closesAt: Date | null): Promise<void> {
  await trx.updateTable('keys').set({ closes_at: closesAt }).where('id', '=', keyId).execute()
}

async function forgetClosedPages(trx: Trx, keyId: string, now: Date): Promise<void> {
  await trx
    .deleteFrom('key_pages')
    .where('key_id', '=', keyId)
    .where('closed_at', '<', new Date(now.getTime() - CLOSED_PAGE_MS))
    .execute()
}
