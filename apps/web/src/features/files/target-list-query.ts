/** The user's targets, in the order of the list, and what was read of each. */
import { listTargets } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'

export function targetListQuery() {
  return queryOptions({
    queryKey: ['targets'],
    queryFn: ({ signal }) => call(listTargets, { signal }),
    // The screen names the failure at once and offers to retry.
    retry: false,
  })
}
