/** The user's measured values, page by page, and their comparison with predictions. */
import { compareMeasurements, listMeasurements, POLL_INTERVAL_MS } from '@pkdex/contract'
import { keepPreviousData, type Query, queryOptions, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { call } from '#web/lib/api.ts'

export const PAGE_SIZE = 50

/** An empty `target` lists the values of all targets. */
export function measurementsQuery(target: string, page: number) {
  return queryOptions({
    queryKey: ['measurements', 'list', target, page],
    queryFn: ({ signal }) =>
      call(listMeasurements, { query: { target, page, page_size: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Polls until every compound has been predicted. */
export function comparisonQuery(target: string) {
  return queryOptions({
    queryKey: ['measurements', 'comparison', target],
    queryFn: ({ signal }) => call(compareMeasurements, { query: { target }, signal }),
    refetchInterval: ({ state }) => ((state.data?.waiting ?? 0) > 0 ? POLL_INTERVAL_MS : false),
    retry: false,
  })
}

/** Call after every change: reloads lists, comparisons and any prediction on screen, at no cost. */
export function useRefreshMeasurements(): () => void {
  const client = useQueryClient()
  return () => {
    void readAgain(client, { queryKey: ['measurements'] })
    // Lists of pairs show best estimates, which the values move.
    for (const key of ['screen', 'known', 'series']) void readAgain(client, { queryKey: [key] })
    const ofNumber = { predicate: ({ state }: Query) => isNumber(state.data) }
    client.removeQueries({ type: 'inactive', ...ofNumber })
    void client.refetchQueries({ type: 'active', ...ofNumber })
  }
}

function isNumber(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  // The last is a pair of a screen.
  if ('result' in answer && !('status' in answer)) return true
  return 'predicted_kd' in answer || ('status' in answer && answer.status === 'SUCCESS')
}
