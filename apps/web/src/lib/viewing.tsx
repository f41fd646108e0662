/** Whether the page shows a screen of another user, who shares it for viewing. */
import type { SharedBy } from '@pkdex/contract'
import { createContext, type ReactNode, use } from 'react'

export const ViewingContext = createContext<SharedBy | null>(null)

/** Null on one's own pages. */
export function useViewing(): SharedBy | null {
  return use(ViewingContext)
}

/** What changes, predicts or stores something: viewers do not see it. */
export function OwnerOnly({ children }: { children: ReactNode }) {
  return useViewing() === null ? children : null
}
