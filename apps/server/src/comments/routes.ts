/** The endpoints of comments and of what is new to a user. */
import * as calls from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { expectReader } from '#server/sharing/service.ts'
import { clearNews, readNews, seeScreen } from './news.ts'
import {
  addComment,
  type CommentDependencies,
  deleteComment,
  editComment,
  listComments,
  readId,
} from './service.ts'

export function commentRoutes(dependencies: CommentDependencies): Feature {
  const { db } = dependencies
  return (app) => {
    route(app, calls.listComments, async ({ userId, param, query, reply }) => {
      const reader = { userId, screenId: param('id') }
      const { total, comments } = await listComments(db, reader, query)
      void reply.header(calls.TOTAL_COUNT_HEADER, total)
      return { comments }
    })
    route(app, calls.addComment, ({ userId, param, body }) =>
      addComment(dependencies, { userId, screenId: param('id') }, body),
    )
    route(app, calls.editComment, ({ userId, param, body }) => {
      const own = { userId, screenId: param('id'), commentId: param('commentId') }
      return editComment(dependencies, own, body.text)
    })
    route(app, calls.deleteComment, async ({ userId, param }) => {
      const own = { userId, screenId: param('id'), commentId: param('commentId') }
      await deleteComment(dependencies, own)
      return { message: 'The comment was deleted.' }
    })
    route(app, calls.seeScreen, async ({ userId, param, body }) => {
      const screenId = param('id')
      await expectReader(db, userId, screenId)
      const comment = body.comment === null ? null : readId(body.comment)
      await seeScreen(db, { userId, screenId, comment })
      return { news: await readNews(db, userId) }
    })
    route(app, calls.clearNews, async ({ userId }) => {
      await clearNews(db, userId)
      return { news: [] }
    })
  }
}
