/** The calls that say what a number rests on. What they answer for one number never changes. */
import { readAlikeEvidence, readAtomEvidence, readReceipt, type Theme } from '@pkdex/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, messageOf } from '#web/lib/api.ts'

/** A pair that has its number; the moment tells one number of it from the next, as of another chain. */
export type ReadPair = { target: string; compound: string; requestedAt: number }

const settled = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

export function atomsQuery(pair: ReadPair, theme: Theme) {
  const { target, compound } = pair
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'atoms', pair, theme],
    queryFn: ({ signal }) => call(readAtomEvidence, { query: { target, compound, theme }, signal }),
  })
}

export function alikeQuery(pair: ReadPair, theme: Theme) {
  const { target, compound } = pair
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'alike', pair, theme],
    queryFn: ({ signal }) =>
      call(readAlikeEvidence, { query: { target, compound, theme }, signal }),
  })
}

export function receiptQuery(pair: ReadPair) {
  const { target, compound } = pair
  return queryOptions({
    ...settled,
    queryKey: ['evidence', 'receipt', pair],
    queryFn: ({ signal }) => call(readReceipt, { query: { target, compound }, signal }),
  })
}

export function reasonOf(error: Error): string {
  return messageOf(error, 'The server did not answer as expected.')
}
