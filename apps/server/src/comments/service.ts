/** Comments on screens: whoever may read a screen may comment on it, and changes only their own comments. */
import {
  type addComment as addCall,
  type Comment,
  COMMENTS_MAX,
  type listComments as listCall,
  OWN_COMMENTS_MAX,
} from '@pkdex/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { expectBytes } from '#server/files/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLocks, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { expectReader } from '#server/sharing/service.ts'
import { noteComment } from './news.ts'

export { noteFinished, readNews } from './news.ts'
export { ownComments } from './own-comments.ts'

export type CommentDependencies = { db: Database; storedBytesPerUser: number; now: () => Date }

type Reader = { userId: string; screenId: string }

export async function listComments(
  db: Database,
  { userId, screenId }: Reader,
  { page, page_size, row, column }: z.output<typeof listCall.query>,
): Promise<{ total: number; comments: Comment[] }> {
  await expectReader(db, userId, screenId)
  const found = db
    .selectFrom('comments')
    .where('comments.order_id', '=', screenId)
    .$if(row !== undefined, (query) => query.where('comments.row', '=', Number(row) - 1))
    .$if(column !== undefined, (query) =>
      query.where((is) =>
        is.or([is('comments.place', '=', Number(column) - 1), is('comments.place', 'is', null)]),
      ),
    )
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const shown = await found
    .select('comments.id')
    .orderBy('comments.id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const ids = shown.map(({ id }) => String(id))
  return { total, comments: await readComments(db, userId, ids) }
}

/** Newest first. */
async function readComments(db: Database, userId: string, ids: string[]): Promise<Comment[]> {
  const { rows } = await sql<
    Omit<Comment, 'created_at' | 'edited_at'> & { created_at: Date; edited_at: Date | null }
  >`
    select comments.id::text, users.name as author,
      author_id is not distinct from ${userId} as is_own, text,
      comments.row + 1 as row, comments.place + 1 as column, order_rows.name as compound,
      order_targets.name as target, order_targets.chain, comments.created_at, edited_at
    from comments join orders on orders.id = comments.order_id
      left join users on users.id = author_id
      left join order_rows on order_number = orders.number and order_rows.row = comments.row
      left join order_targets on order_targets.order_id = orders.id
        and order_targets.place = comments.place
    where comments.id = any(${ids}::bigint[]) order by comments.id desc`.execute(db)
  return rows.map((one) => ({
    ...one,
    created_at: one.created_at.toISOString(),
    edited_at: one.edited_at?.toISOString() ?? null,
  }))
}

export function addComment(
  dependencies: CommentDependencies,
  { userId, screenId }: Reader,
  { text: asked, row, column }: z.output<typeof addCall.body>,
): Promise<Comment> {
  return write(dependencies, { userId, screenId, asked }, async (trx, text) => {
    await expectPlace(trx, screenId, { row, column })
    await expectRoom(trx, { userId, screenId })
    await expectStorage(dependencies, trx, { userId, more: Buffer.byteLength(text) })
    const { id } = await trx
      .insertInto('comments')
      .values({
        order_id: screenId,
        author_id: userId,
        row: row === undefined ? null : row - 1,
        place: column === undefined ? null : column - 1,
        text,
        created_at: dependencies.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await countComment(trx, screenId, 1, dependencies.now())
    await noteComment(trx, { id: String(id), screenId, authorId: userId })
    return String(id)
  })
}

type Own = Reader & { commentId: string }

export function editComment(
  dependencies: CommentDependencies,
  { userId, screenId, commentId }: Own,
  asked: string,
): Promise<Comment> {
  return write(dependencies, { userId, screenId, asked }, async (trx, text) => {
    const before = await trx
      .selectFrom('comments')
      .select('text')
      .where(isOwn({ userId, screenId, commentId }))
      .executeTakeFirst()
    if (before === undefined) throw notFound()
    const more = Buffer.byteLength(text) - Buffer.byteLength(before.text)
    if (more > 0) await expectStorage(dependencies, trx, { userId, more })
    await trx
      .updateTable('comments')
      .set({ text, edited_at: dependencies.now() })
      .where(isOwn({ userId, screenId, commentId }))
      .execute()
    await countComment(trx, screenId, 0, dependencies.now())
    return commentId
  })
}

export async function deleteComment(
  { db, now }: CommentDependencies,
  { userId, screenId, commentId }: Own,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await expectReader(trx, userId, screenId)
    const deleted = await trx
      .deleteFrom('comments')
      .where(isOwn({ userId, screenId, commentId }))
      .returning('id')
      .executeTakeFirst()
    if (deleted === undefined) throw notFound()
    await countComment(trx, screenId, -1, now())
  })
}

/** In the transaction of every change: pages follow `commented_at`. */
async function countComment(trx: Trx, id: string, more: number, at: Date): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ comments: sql<number>`comments + ${more}`, commented_at: at })
    .where('id', '=', id)
    .execute()
}

/** Under the locks of the author and the screen, so that parallel requests cannot exceed a limit. */
function write(
  { db }: CommentDependencies,
  { userId, screenId, asked }: Reader & { asked: string },
  change: (trx: Trx, text: string) => Promise<string>,
): Promise<Comment> {
  const text = asked.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim()
  return inTransaction(db, async (trx) => {
    await expectReader(trx, userId, screenId)
    await holdLocks(trx, 'comments', [userId, screenId])
    const [comment] = await readComments(trx, userId, [await change(trx, text)])
    if (comment === undefined) throw new Error('a comment that was just written is not there')
    return comment
  })
}

async function expectPlace(
  trx: Trx,
  screenId: string,
  { row = 1, column = 1 }: { row: number | undefined; column: number | undefined },
): Promise<void> {
  const { compounds, targets } = await trx
    .selectFrom('orders')
    .select(['compounds', 'targets'])
    .where('id', '=', screenId)
    .executeTakeFirstOrThrow()
  if (row > compounds) throw outside(`row ${row}; it has ${compounds}`)
  if (column > targets) throw outside(`column ${column}; it has ${targets}`)
}

function outside(what: string): AppError {
  return new AppError('invalid_request', `The screen has no ${what}.`)
}

async function expectRoom(trx: Trx, { userId, screenId }: Reader): Promise<void> {
  const { all, own } = await trx
    .selectFrom('comments')
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('author_id', '=', userId).as('own'),
    ])
    .where('order_id', '=', screenId)
    .executeTakeFirstOrThrow()
  const most = COMMENTS_MAX.toLocaleString('en')
  if (all >= COMMENTS_MAX) throw full(`A screen has at most ${most} comments.`)
  if (own >= OWN_COMMENTS_MAX) {
    throw full(`You have ${OWN_COMMENTS_MAX} comments on this screen, the most there can be.`)
  }
}

function full(reason: string): AppError {
  return new AppError('conflict', `${reason} Delete one of yours first.`)
}

function expectStorage(
  { storedBytesPerUser: most }: CommentDependencies,
  trx: Trx,
  { userId, more }: { userId: string; more: number },
): Promise<void> {
  return expectBytes(trx, { userId, more, most, refused: 'This comment was not saved.' })
}

function isOwn({ userId, screenId, commentId }: Own) {
  return sql<boolean>`comments.id = ${readId(commentId)}::bigint and order_id = ${screenId}
    and author_id = ${userId}`
}

/** Within the range of the database's ids. */
export function readId(text: string): string {
  if (/^\d{1,18}$/.test(text)) return text
  throw notFound()
}

/** Also for a comment of somebody else. */
function notFound(): AppError {
  return new AppError('not_found', 'Comment not found.')
}
