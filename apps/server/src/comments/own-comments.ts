/** The comments in the export of an account: the user's on any screen, and everyone's on the user's screens. */
import { type Compilable, sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'

export function ownComments(db: Database, userId: string): Compilable {
  return db
    .selectFrom('comments')
    .innerJoin('orders', 'orders.id', 'comments.order_id')
    .leftJoin('users as author', 'author.id', 'author_id')
    .leftJoin('order_rows', (join) =>
      join.onRef('order_number', '=', 'orders.number').onRef('order_rows.row', '=', 'comments.row'),
    )
    .leftJoin('order_targets', (join) =>
      join
        .onRef('order_targets.order_id', '=', 'orders.id')
        .onRef('order_targets.place', '=', 'comments.place'),
    )
    .select(['orders.id as screen_id', ownOnly('orders.name', userId).as('screen')])
    .select([
      sql<number | null>`comments.row + 1`.as('row'),
      sql<number | null>`comments.place + 1`.as('column'),
      ownOnly('order_rows.name', userId).as('compound'),
      ownOnly('order_targets.name', userId).as('target'),
      sql<string>`case when author.id = ${userId} then 'you' else coalesce(author.name, '') end`.as(
        'by',
      ),
    ])
    .select(['text', 'comments.created_at', 'edited_at'])
    .where((is) => is.or([is('author_id', '=', userId), is('orders.user_id', '=', userId)]))
    .orderBy('comments.id')
}

/** A name in a screen of somebody else stays there: the share may have ended. */
function ownOnly(column: string, userId: string) {
  return sql<string | null>`case when orders.user_id = ${userId} then ${sql.ref(column)} end`
}
