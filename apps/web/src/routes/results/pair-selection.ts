/**
 * The selected pair, and whether its prediction has been requested. The pair is in the URL, so that
 * it can be shared. The request is in the page and in its history entry: a reload requests again
 * (the server returns the same task, free of charge), while opening a link elsewhere costs nothing.
 */
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useSession } from '#web/features/auth/session.ts'
import type { PredictionRequest } from '#web/features/predictions/prediction-queries.ts'

type Side = 'target' | 'compound'

export function useSelection() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const user = useUserEmail()
  const target = params.get('target')
  const compound = params.get('compound')
  const [request, setRequest] = useState<PredictionRequest | null>(null)
  const [isCleared, setIsCleared] = useState(false)
  const isRequested = request?.target === target && request?.compound === compound

  function go(next: Record<Side, string | null>, requestedAt: number | null) {
    const nextRequest = requestOf(next, requestedAt)
    setIsCleared(requestedAt === null)
    setRequest(nextRequest)
    setParams(withSelection(params, next), {
      replace: true,
      preventScrollReset: true,
      // Two quick selections must not both start from the old URL.
      flushSync: true,
      state: nextRequest && { requestedAt, user },
    })
  }

  return {
    target,
    compound,
    /** Null until the pair in the URL has been requested. */
    request: isRequested ? request : requestOf({ target, compound }, readRequestedAt(state, user)),
    /** Selects or deselects one side. The prediction of a complete pair is requested immediately. */
    select: (side: Side, name: string | null) => go({ target, compound, [side]: name }, Date.now()),
    /** Follows a selected item to its new name, without a new request. */
    rename: (side: Side, name: string) => {
      const wasRequested = isRequested || readRequestedAt(state, user) !== null
      go({ target, compound, [side]: name }, wasRequested ? Date.now() : null)
      setIsCleared(isCleared)
    },
    /** Requests the prediction of the selected pair again. */
    requestAgain: () => go({ target, compound }, Date.now()),
    /** Clears the request and its error. */
    clear: () => go({ target, compound }, null),
    isCleared,
  }
}

function requestOf(
  { target, compound }: Record<Side, string | null>,
  requestedAt: number | null,
): PredictionRequest | null {
  if (target === null || compound === null || requestedAt === null) return null
  return { target, compound, requestedAt }
}

/** A tab's history outlives its user: going back must not request anything for the next user. */
function readRequestedAt(state: unknown, user: string | null): number | null {
  const stored: { requestedAt?: unknown; user?: unknown } = Object(state)
  return typeof stored.requestedAt === 'number' && stored.user === user ? stored.requestedAt : null
}

function useUserEmail(): string | null {
  const session = useSession()
  return session.status === 'signed-in' ? session.email : null
}

function withSelection(params: URLSearchParams, next: Record<Side, string | null>) {
  const changed = new URLSearchParams(params)
  for (const [side, name] of Object.entries(next)) {
    if (name === null) changed.delete(side)
    else changed.set(side, name)
  }
  return changed
}
