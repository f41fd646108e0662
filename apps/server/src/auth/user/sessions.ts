/**
 * A session lasts as long as a browser page keeps it open. Closing a page and reloading it look the same, so a closed
 * page only starts a grace period, which ends when any page claims the session.
 */
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { hashKey, isAlive } from '#server/auth/caller.ts'

type Moment = { pageId: string; now: Date }

/** Closed pages are deleted after this long. */
const CLOSED_PAGE_MS = 3_600_000
/** Maximum number of pages per session. */
export const PAGES_MAX = 100

/**
 * `/dta/login` from a page. A page that was closed cannot claim the session: its own logout overtook the login. False
 * if the session ended meanwhile.
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
    await forgetPages(trx, keyId, now)
    return true
  })
}

/** Records a closed page. Without another page the session ends after the grace period. */
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
    await forgetPages(trx, session.id, now)
    if (await hasOpenPage(trx, session.id)) return
    await setClosing(trx, session.id, new Date(now.getTime() + graceMs))
  })
}

/** Signs out immediately. API keys stay valid until revoked. */
export async function endSession(db: Database, key: string, now: Date): Promise<void> {
  await db
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('hash', '=', hashKey(key))
    .where('kind', '=', 'session')
    .where('revoked_at', 'is', null)
    .execute()
}

/** Claims and closings of one session are serialised, so that they do not interfere. */
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

/** Deletes pages closed long ago, and the oldest pages beyond the limit. */
async function forgetPages(trx: Trx, keyId: string, now: Date): Promise<void> {
  const newest = trx
    .selectFrom('key_pages')
    .select('page_id')
    .where('key_id', '=', keyId)
    .orderBy('claimed_at', 'desc')
    .orderBy('page_id')
    .limit(PAGES_MAX)
  await trx
    .deleteFrom('key_pages')
    .where('key_id', '=', keyId)
    .where((is) =>
      is.or([
        is('closed_at', '<', new Date(now.getTime() - CLOSED_PAGE_MS)),
        is('page_id', 'not in', newest),
      ]),
    )
    .execute()
}
