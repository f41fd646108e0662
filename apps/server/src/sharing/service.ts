/** Shares of screens: how owners share and end, and what is shared with a user. */
import { LINK_VIEWERS_MAX, type Share, type SharedScreen, SHARES_MAX } from '@pkdex/contract'
import { sql } from 'kysely'
import { recordAction } from '#server/audit/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'

export { expectExports, expectReader, ownerOfShared } from './access.ts'
export { sharedRoute } from './shared-route.ts'

export async function listShares(db: Database, screenId: string): Promise<Share[]> {
  const rows = await db
    .selectFrom('shares')
    .select(['id', 'email', 'exports', 'created_at', viewersByLink.as('viewers')])
    .where('order_id', '=', screenId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** Names, first come first. */
const viewersByLink = sql<string[]>`array(
  select coalesce(nullif(users.name, ''), '(No name)')
  from link_viewers join users on users.id = link_viewers.user_id
  where link_viewers.share_id = shares.id
  order by opened_at, users.id limit ${sql.lit(LINK_VIEWERS_MAX)})`

/** A screen that the viewer opened; nothing if it is not shared by link. */
export async function noteLinkViewer(
  db: Database,
  { viewerId, screenId, now }: { viewerId: string; screenId: string; now: Date },
): Promise<void> {
  await sql`insert into link_viewers (share_id, user_id, opened_at)
    select shares.id, ${viewerId}, ${now}
    from orders join shares on shares.order_id in (orders.id, orders.screen_id)
    where orders.id = ${screenId} and shares.email is null
    on conflict do nothing`.execute(db)
}

type NewShare = {
  userId: string
  screenId: string
  email: string | null
  exports: boolean
  now: Date
}

/** The address is not looked up, so the answer cannot tell whether it has an account here. */
export async function shareScreen(
  db: Database,
  { userId, screenId, email, exports, now }: NewShare,
): Promise<Share[]> {
  return inTransaction(db, async (trx) => {
    await holdLock(trx, 'predictionRequests', userId)
    await sql`insert into shares (owner_id, order_id, email, exports, created_at)
      select user_id, id, ${email?.toLowerCase() ?? null}, ${exports}, ${now} from orders
      where id = ${screenId} and user_id = ${userId} and kind = 'screen'
      on conflict (order_id, coalesce(email, '')) do update set exports = excluded.exports`.execute(
      trx,
    )
    const shares = await listShares(trx, screenId)
    if (shares.length > SHARES_MAX) {
      throw new AppError('conflict', `A screen has at most ${SHARES_MAX} shares. End one first.`)
    }
    await recordAction(trx, {
      administrator: 'user',
      action: 'share screen',
      subject: `user ${userId}`,
      after: { screen: screenId, with: email?.toLowerCase() ?? 'everyone with the link', exports },
      now,
    })
    return shares
  })
}

type Ended = {
  userId: string
  shareId: string
  /** Email of an administrator, or `user`. */
  administrator: string
  now: Date
}

/** False if the user has no such share. */
export async function endShare(
  db: Database,
  { userId, shareId, administrator, now }: Ended,
): Promise<boolean> {
  if (!isUuid(shareId)) return false
  return inTransaction(db, async (trx) => {
    const share = await trx
      .deleteFrom('shares')
      .where('id', '=', shareId)
      .where('owner_id', '=', userId)
      .returning(['order_id', 'email'])
      .executeTakeFirst()
    if (share === undefined) return false
    await recordAction(trx, {
      administrator,
      action: 'end share',
      subject: `user ${userId}`,
      before: { screen: share.order_id, with: share.email ?? 'everyone with the link' },
      now,
    })
    return true
  })
}

export async function listUserShares(db: Database, userId: string) {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('orders', 'orders.id', 'shares.order_id')
    .select(['shares.id', 'shares.email', 'exports', 'orders.id as screen_id'])
    .select(viewersByLink.as('viewers'))
    .select(['orders.name as screen', 'shares.created_at'])
    .where('owner_id', '=', userId)
    .orderBy('shares.created_at', 'desc')
    .orderBy('shares.id')
    .execute()
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** In the transaction that deletes a user: shares with their address, unless another user has it too. */
export async function forgetShares(trx: Trx, email: string): Promise<void> {
  await sql`delete from shares where email = lower(${email})
    and not exists (select from users where email_key = lower(${email}))`.execute(trx)
}

const SHARED_MAX = 1000

/** SQL on a row of `shares`: by the user's address, or by a link that the user opened. */
export function isSharedWith(userId: string) {
  return sql<boolean>`(shares.email = (select email_key from users where id = ${userId} and is_email_proven)
    or shares.id in (select share_id from link_viewers where user_id = ${userId}))`
}

export async function listShared(db: Database, userId: string): Promise<SharedScreen[]> {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('orders', 'orders.id', 'shares.order_id')
    .innerJoin('users as owner', 'owner.id', 'shares.owner_id')
    .select(['orders.id', 'orders.name', 'owner.name as owner', 'targets', 'compounds'])
    .select(sql<boolean>`bool_or(exports)`.as('exports'))
    .select((is) => is.fn.min('shares.created_at').as('created_at'))
    .where(isSharedWith(userId))
    .where('orders.kind', '=', 'screen')
    .where('orders.user_id', '<>', userId)
    .groupBy(['orders.id', 'orders.name', 'owner.name', 'targets', 'compounds'])
    .orderBy('created_at', 'desc')
    .orderBy('orders.id')
    .limit(SHARED_MAX)
    .execute()
  return rows.map(({ created_at, ...screen }) => ({
    ...screen,
    shared_at: created_at.toISOString(),
  }))
}
