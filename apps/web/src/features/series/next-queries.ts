/** Suggestions of what to make or measure next, reloaded while the model predicts the measured compounds. */
import { suggestNext } from '@pkdex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'

const POLL_INTERVAL_MS = 1500

export type NextQuestion = {
  screens: string[]
  target: string
  chain: string
  goal?: number
  page: number
}

export function nextQuery(question: NextQuestion) {
  return queryOptions({
    queryKey: ['series', 'next', question],
    queryFn: ({ signal }) => call(suggestNext, { body: question, signal }),
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? POLL_INTERVAL_MS : false),
    placeholderData: keepPreviousData,
    retry: false,
  })
}
