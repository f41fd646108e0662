/** Comments on a screen, newest first: all of them, or those on a compound and one of its pairs. */
import { type Comment, listComments } from '@pkdex/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { callPage } from '#web/lib/api.ts'

/** Both count from 1. */
export type Place = { row: number; column: number }

const PAGE_SIZE = 50

export type CommentPage = { comments: Comment[]; total: number }

export function commentsQuery(id: string, place: Place | null) {
  return infiniteQueryOptions({
    queryKey: ['screen', id, 'comments', place],
    queryFn: async ({ pageParam: page, signal }): Promise<CommentPage> => {
      const query = { ...place, page, page_size: PAGE_SIZE }
      const { answer, total } = await callPage(listComments, { params: { id }, query, signal })
      return { comments: answer.comments, total: total ?? answer.comments.length }
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) =>
      pages.length * PAGE_SIZE < total ? pages.length + 1 : undefined,
    staleTime: 0,
  })
}
