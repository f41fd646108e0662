/** The balance: its place in the header, its query, and the one way to have it read again. */
import { readCredits } from '@pkdex/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '#web/lib/api.ts'
import classes from './credits-counter.module.css'

/** A dash while the balance is not known, so that it is never mistaken for 0. */
export function CreditsCounter() {
  const { data, error } = useQuery(creditsQuery())
  const credits = error === null ? data?.credits : undefined
  return (
    <output className={classes.credits} aria-atomic="true" data-zero={credits === 0}>
      Credits{' '}
      {credits === undefined ? (
        <b>
          <span aria-hidden="true">–</span>
          <span className="visually-hidden">unknown</span>
        </b>
      ) : (
        <b>{credits.toLocaleString('en')}</b>
      )}
    </output>
  )
}

export function creditsQuery() {
  return queryOptions({
    queryKey: ['credits'],
    queryFn: ({ signal }) => call(readCredits, { signal }),
    retry: false,
    // Another tab may have spent some meanwhile.
    refetchOnWindowFocus: 'always',
  })
}

/** After something was paid. */
export function useRefreshCredits(): () => void {
  const client = useQueryClient()
  return useCallback(() => void client.invalidateQueries(creditsQuery()), [client])
}
