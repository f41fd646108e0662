/**
 * Asks for the number of one pair, once. What is asked is an event, a click or a key, so the ask carries
 * the moment it was made: the same ask drawn twice is one request, a later ask of the same pair another,
 * and an answer can only ever be shown for the pair it belongs to.
 */
import { requestPrediction } from '@pkdex/contract'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#web/lib/api.ts'

export type Ask = { target: string; compound: string; askedAt: number }

/** `onPaid` runs when the server has answered, because the balance may be another one now. */
export function askQuery(ask: Ask | null, onPaid: () => void) {
  return queryOptions({
    queryKey: ['ask', ask],
    queryFn: ask === null ? skipToken : () => request(ask).finally(onPaid),
    // A request that costs a credit is never repeated behind the user's back.
    retry: false,
    retryOnMount: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    // Offline it fails now and says so, rather than going out unseen later.
    networkMode: 'always',
  })
}

function request({ target, compound }: Ask) {
  return call(requestPrediction, { body: { protein_id: target, compound_id: compound } })
}
