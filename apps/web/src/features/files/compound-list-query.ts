/** The user's compounds, in the order of the list, and what was read of each. */
import { listCompounds } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'

export function compoundListQuery() {
  return queryOptions({
    queryKey: ['compounds'],
    queryFn: ({ signal }) => call(listCompounds, { signal }),
    // The screen names the failure at once and offers to retry.
    retry: false,
  })
}
