/** The user's single predictions, newest first, one page at a time. */
import { listHistory } from '@pkdex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callPage } from '#web/lib/api.ts'

export const PAGE_SIZE = 50

export type HistoryParams = { page: number; search: string }

export function historyQuery(params: HistoryParams) {
  return queryOptions({
    queryKey: ['history', params],
    queryFn: async ({ signal }) => {
      const query = { ...params, page_size: PAGE_SIZE }
      const { answer, total } = await callPage(listHistory, { query, signal })
      return { predictions: answer.predictions, total: total ?? answer.predictions.length }
    },
    placeholderData: keepPreviousData,
    // The list grows with every prediction.
    staleTime: 0,
    retry: false,
  })
}

export function readHistoryParams(params: URLSearchParams): HistoryParams {
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1)
  return { page, search: params.get('search') ?? '' }
}

export function hrefOf({ page, search }: HistoryParams): string {
  const params = new URLSearchParams()
  if (search !== '') params.set('search', search)
  if (page > 1) params.set('page', String(page))
  return `?${params}`
}
