/** Whether the page shows a screen of another user, who shares it for viewing. */
import type { SharedBy } from '@pkdex/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'

export const ViewingContext = createContext<SharedBy | null>(null)

/** Null on one's own pages. */
export function useViewing(): SharedBy | null {
  return use(ViewingContext)
}

/** The cache of the user's own data, from the pages of a shared screen too. */
export const OwnClientContext = createContext<QueryClient | null>(null)

export function useOwnClient(): QueryClient {
  const here = useQueryClient()
  return use(OwnClientContext) ?? here
}

/** What changes, predicts or stores something: viewers do not see it. */
export function OwnerOnly({ children }: { children: ReactNode }) {
  return useViewing() === null ? children : null
}
