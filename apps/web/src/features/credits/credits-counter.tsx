/** The balance in the header, its query, and the hook that reloads it. */
import { readCredits } from '@pkdex/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { call } from '#web/lib/api.ts'
import classes from './credits-counter.module.css'

/** An administrator may have added credits. */
const REFRESH_MS = 60_000

/** A dash while the balance is unknown, so that it is never mistaken for 0. Reloaded on every page. */
export function CreditsCounter() {
  const { pathname } = useLocation()
  const refresh = useRefreshCredits()
  const { data, error } = useQuery({ ...creditsQuery(), refetchInterval: REFRESH_MS })
  const readOn = useRef(pathname)
  useEffect(() => {
    if (readOn.current !== pathname) refresh()
    readOn.current = pathname
  }, [pathname, refresh])
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
    // Another tab may have used credits meanwhile.
    refetchOnWindowFocus: 'always',
  })
}

/** Call after credits were charged. */
export function useRefreshCredits(): () => void {
  const client = useQueryClient()
  return useCallback(() => void readAgain(client, creditsQuery()), [client])
}
