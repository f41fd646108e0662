/** Asks before the user leaves a page on which something would be lost: by a link, by Back, or by closing the tab. */
import { type ReactNode, useEffect } from 'react'
import { type Blocker, type Location, useBlocker } from 'react-router'

type Props = {
  /** Leaving for this address needs no confirmation. */
  isFree: (to: Location) => boolean
  /** Confirmation shown when leaving is blocked: `proceed` leaves, `reset` stays. */
  children: (blocked: Extract<Blocker, { state: 'blocked' }>) => ReactNode
}

/** Active as long as it is mounted. */
export function LeaveGuard({ isFree, children }: Props) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !isFree(nextLocation),
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])

  return blocker.state === 'blocked' ? children(blocker) : null
}
