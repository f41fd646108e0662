/**
 * Comments of the owner and the viewers of a screen, on the screen or on a compound or pair in it, and what is new to a
 * user: comments of others, and screens that have finished.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageNumber, pageSize, TOTAL_COUNT_HEADER } from './paging.ts'
import { sharedScreenHeader } from './shared-screen.ts'
import { Moment } from './text.ts'

export const COMMENT_CHARACTERS_MAX = 4000

/** Maximum comments per screen, and per author in it: one viewer cannot use all of them. */
export const COMMENTS_MAX = 1000
export const OWN_COMMENTS_MAX = 200

const Place = z.number().int().min(1).max(1_000_000)

export const Comment = z.object({
  id: z.string(),
  author: z.string().nullable().describe('Name of the author; null once the account was deleted.'),
  is_own: z.boolean().describe('Whether you may edit and delete it.'),
  text: z.string().describe('Plain text.'),
  row: Place.nullable().describe('The row of its compound in the screen; null for the screen.'),
  column: Place.nullable().describe(
    'The target of its pair in the screen, from 1; null for the compound on all targets.',
  ),
  compound: z.string().nullable(),
  target: z.string().nullable(),
  chain: z.string().nullable(),
  created_at: Moment,
  edited_at: Moment.nullable(),
})
export type Comment = z.infer<typeof Comment>

/** Line breaks and tabs are the only control characters. Written out, as in `text.ts`. */
const CommentText = z
  .string()
  .max(COMMENT_CHARACTERS_MAX)
  // oxlint-disable-next-line no-control-regex -- these are the ones
  .regex(/^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]*$/, 'must be plain text')
  .regex(/\S/, 'must not be empty')

const needsRow = { error: 'A column needs a row.', path: ['column'] }

export const listComments = endpoint({
  auth: 'user',
  method: 'GET',
  path: '/screens/:id/comments',
  summary:
    'Lists the comments on a screen that you may read, newest first; total in X-Total-Count. With `row`, only those on a compound and its pairs; with `column` too, only those on the compound and on that pair.',
  answerHeaders: { [TOTAL_COUNT_HEADER]: 'Total number of comments.' },
  query: z
    .object({
      page: PageNumber.default(1),
      page_size: pageSize(50),
      row: z.coerce.number().pipe(Place).optional(),
      column: z.coerce.number().pipe(Place).optional(),
    })
    .refine(({ row, column }) => column === undefined || row !== undefined, needsRow),
  answer: z.object({ comments: z.array(Comment) }),
})

export const addComment = endpoint({
  auth: 'user',
  method: 'POST',
  path: '/screens/:id/comments',
  summary: 'Adds a comment to a screen that you may read, or to a compound or pair in it.',
  headers: sharedScreenHeader,
  errors: ['conflict', 'file_too_large'],
  body: z
    .object({
      text: CommentText,
      row: Place.optional().describe('On this compound; without it, on the screen.'),
      column: Place.optional().describe('On its pair with this target, from 1.'),
    })
    .refine(({ row, column }) => column === undefined || row !== undefined, needsRow),
  answer: Comment,
})

export const editComment = endpoint({
  auth: 'user',
  method: 'PATCH',
  path: '/screens/:id/comments/:commentId',
  summary: 'Changes the text of a comment of yours.',
  headers: sharedScreenHeader,
  errors: ['file_too_large'],
  body: z.object({ text: CommentText }),
  answer: Comment,
})

export const deleteComment = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/screens/:id/comments/:commentId',
  summary: 'Deletes a comment of yours.',
  headers: sharedScreenHeader,
  answer: z.object({ message: z.string() }),
})

/** Maximum screens of a list of news. */
export const NEWS_MAX = 100

export const News = z.object({
  screen_id: z.string(),
  screen: z.string().nullable().describe('Name of the screen.'),
  comments: z.number().int().describe('Comments by others since you last looked at them.'),
  has_finished: z.boolean().describe('Whether it finished since you last looked at it.'),
})
export type News = z.infer<typeof News>

const Newly = z.object({ news: z.array(News) })

export const seeScreen = endpoint({
  auth: 'user',
  method: 'PUT',
  path: '/screens/:id/seen',
  summary:
    'Notes that you have looked at a screen and at its comments up to one, so that they are no longer in `news`; returns the rest.',
  headers: sharedScreenHeader,
  body: z.object({
    comment: z
      .string()
      .max(20)
      .nullable()
      .describe('Id of the latest comment that you have seen; null for none.'),
  }),
  answer: Newly,
})

export const clearNews = endpoint({
  auth: 'user',
  method: 'DELETE',
  path: '/news',
  summary: 'Notes that you have seen everything in `news` of `GET /dta/credits`.',
  answer: Newly,
})
