/** Queries for the evidence of a prediction. The evidence of one prediction never changes. */
import {
  readSimilarEvidence,
  readAtomEvidence,
  readPairDetails,
  readReceipt,
  type Theme,
} from '@pkdex/contract'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { call, loadingReason } from '#web/lib/api.ts'

/** A pair that has a prediction. */
export type ReadPair = {
  compound: string
  /** By names, or by position in a screen. */
  query: { target: string; compound: string } | { screen: string; row: number; column: number }
  /** Distinguishes predictions of the same pair, for example for another chain. */
  edition: string | number
}

const settled = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

/** The full result of a prediction that is already known. */
export function pairDetailsQuery(pair: ReadPair | null) {
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'details', pair],
    queryFn:
      pair === null
        ? skipToken
        : ({ signal }) => call(readPairDetails, { query: pair.query, signal }),
    // The user's own values may have changed.
    staleTime: 0,
  })
}

export function atomsQuery(pair: ReadPair, theme: Theme) {
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'atoms', pair, theme],
    queryFn: ({ signal }) => call(readAtomEvidence, { query: { ...pair.query, theme }, signal }),
  })
}

export function similarQuery(pair: ReadPair, theme: Theme) {
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'similar', pair, theme],
    queryFn: ({ signal }) => call(readSimilarEvidence, { query: { ...pair.query, theme }, signal }),
  })
}

export function receiptQuery(pair: ReadPair) {
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'receipt', pair],
    queryFn: ({ signal }) => call(readReceipt, { query: pair.query, signal }),
  })
}

export function reasonOf(error: Error): string {
  return loadingReason(error)
}
