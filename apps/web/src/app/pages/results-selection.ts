/**
 * Which pair is selected and whether it has been asked. The pair lives in the address, so that it can be
 * shared; the ask lives in the page and in its history entry, so that a reload asks again (the server
 * answers the same task, free of charge) while a link that is opened elsewhere spends nothing by itself.
 */
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Ask } from '#web/features/predictions/ask-query.ts'
import { useSession } from '#web/lib/session.ts'

export type Side = 'target' | 'compound'

export function useSelection() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const user = useUserEmail()
  const target = params.get('target')
  const compound = params.get('compound')
  const [ask, setAsk] = useState<Ask | null>(null)
  const isAsked = ask?.target === target && ask?.compound === compound

  function go(next: Record<Side, string | null>, askedAt: number) {
    const nextAsk = askOf(next, askedAt)
    setAsk(nextAsk)
    setParams(withSelection(params, next), {
      replace: true,
      preventScrollReset: true,
      // Two quick selections must not be worked out from the same old address.
      flushSync: true,
      state: nextAsk && { askedAt, user },
    })
  }

  return {
    target,
    compound,
    /** Null while the pair, as the address has it now, has not been asked. */
    ask: isAsked ? ask : askOf({ target, compound }, readAskedAt(state, user)),
    /** Selects or deselects one side. A complete pair is asked at once. */
    select: (side: Side, name: string | null) => go({ target, compound, [side]: name }, Date.now()),
    /** Asks the selected pair anew. */
    askAgain: () => go({ target, compound }, Date.now()),
  }
}

function askOf(
  { target, compound }: Record<Side, string | null>,
  askedAt: number | null,
): Ask | null {
  if (target === null || compound === null || askedAt === null) return null
  return { target, compound, askedAt }
}

/** The history of a tab outlives its user: going back asks nothing in the next one's name. */
function readAskedAt(state: unknown, user: string | null): number | null {
  const kept: { askedAt?: unknown; user?: unknown } = Object(state)
  return typeof kept.askedAt === 'number' && kept.user === user ? kept.askedAt : null
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
