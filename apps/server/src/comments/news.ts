/**
 * What is new to a user: a row per screen with comments by others or an end that the user has not seen. Rows are written
 * for the owner, for viewers by email, for those who opened the link and for everyone who commented; a row counts only
 * while its user may read the screen.
 */
import { type News, NEWS_MAX } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'

/** In the transaction that adds the comment. */
export async function noteComment(
  trx: Trx,
  { id, screenId, authorId }: { id: string; screenId: string; authorId: string },
): Promise<void> {
  await sql`insert into news (user_id, order_id, comments_from)
    select reader, ${screenId}, ${id}::bigint from (${readersOf(screenId)}) readers
    where reader <> ${authorId}
    on conflict (user_id, order_id) do update
    set comments_from = coalesce(news.comments_from, excluded.comments_from)`.execute(trx)
}

/** In the transaction that ends the screen. */
export async function noteFinished(trx: Trx, screenId: string): Promise<void> {
  await sql`insert into news (user_id, order_id, has_finished)
    select reader, ${screenId}, true from (${readersOf(screenId)}) readers
    on conflict (user_id, order_id) do update set has_finished = true`.execute(trx)
}

/** Locked in a fixed order, so that two of these inserts never wait for each other, and none is for a user being deleted. */
function readersOf(screenId: string) {
  return sql`select users.id as reader from users where users.id in (
      select user_id from orders where id = ${screenId}
      union select viewers.id from orders join shares on shares.order_id in (orders.id, orders.screen_id)
        join users viewers on viewers.email_key = shares.email and viewers.is_email_proven
        where orders.id = ${screenId}
      union select link_viewers.user_id from orders
        join shares on shares.order_id in (orders.id, orders.screen_id)
        join link_viewers on share_id = shares.id where orders.id = ${screenId}
      union select author_id from comments where order_id = ${screenId})
    order by users.id for key share`
}

export async function readNews(db: Database, userId: string): Promise<News[]> {
  const { rows } = await sql<News>`
    select * from (
      select orders.id as screen_id, orders.name as screen, has_finished, orders.created_at,
        (select count(*) from comments where order_id = orders.id and comments.id >= comments_from
          and author_id is distinct from ${userId})::int as comments
      from news join orders on orders.id = news.order_id
      where news.user_id = ${userId} and orders.kind in ('screen', 'call')
        and (orders.user_id = ${userId} or exists (
          select from shares where shares.order_id in (orders.id, orders.screen_id)
            and (shares.email is null or shares.email =
              (select email_key from users where id = ${userId} and is_email_proven))))
    ) as found
    where has_finished or comments > 0
    order by created_at desc, screen_id limit ${NEWS_MAX}`.execute(db)
  return rows.map(({ screen_id, screen, comments, has_finished }) => ({
    screen_id,
    screen,
    comments,
    has_finished,
  }))
}

/** `comment`: the latest comment seen; later ones stay new. Null: the screen without its comments. */
export async function seeScreen(
  db: Database,
  { userId, screenId, comment }: { userId: string; screenId: string; comment: string | null },
): Promise<void> {
  await sql`update news set has_finished = false, comments_from = ${
    comment === null
      ? sql`comments_from`
      : sql`(select min(id) from comments where order_id = ${screenId} and id > ${comment}::bigint
          and id >= news.comments_from and author_id is distinct from ${userId})`
  } where user_id = ${userId} and order_id = ${screenId}`.execute(db)
  await db
    .deleteFrom('news')
    .where('user_id', '=', userId)
    .where('order_id', '=', screenId)
    .where('comments_from', 'is', null)
    .where('has_finished', '=', false)
    .execute()
}

export async function clearNews(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('news').where('user_id', '=', userId).execute()
}
