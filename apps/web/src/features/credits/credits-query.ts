/** The balance, and the one way to have it read again after something was paid. */
import { readCredits } from '@pkdex/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#web/lib/api.ts'

export function creditsQuery() {
  return queryOptions({
    queryKey: ['credits'],
    queryFn: ({ signal }) => call(readCredits, { signal }),
    retry: false,
  })
}

export function useRefreshCredits(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries(creditsQuery()), [client])
}
