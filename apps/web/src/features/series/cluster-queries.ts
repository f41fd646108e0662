/** Clusters of a series, with the measured values of its compounds. */
import { findSeriesClusters } from '@pkdex/contract'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'
import type { ValuedCompound } from './pairs-queries.ts'

/** As stored in the URL. */
export type ClusterChoice = { similarity: number; pick: number }

export function clustersQuery(
  screenId: string,
  compounds: ValuedCompound[] | undefined,
  { similarity, pick }: ClusterChoice,
) {
  return queryOptions({
    queryKey: ['series', 'clusters', screenId, similarity, pick, compounds],
    queryFn:
      compounds === undefined || compounds.length === 0
        ? skipToken
        : ({ signal }) => {
            const body = { compounds, similarity, pick, cliff_similarity: similarity }
            return call(findSeriesClusters, { body, signal })
          },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
