/** Queries about shares: with whom a screen is shared, and what is shared with the user. */
import { listShared, listShares } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'

export function sharesQuery(id: string) {
  return queryOptions({
    queryKey: ['screen', id, 'shares'],
    queryFn: ({ signal }) => call(listShares, { params: { id }, signal }),
    staleTime: 0,
  })
}

export const sharedQuery = queryOptions({
  queryKey: ['shared'],
  queryFn: ({ signal }) => call(listShared, { signal }),
  staleTime: 0,
})
