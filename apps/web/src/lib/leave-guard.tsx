/** Holds back whoever leaves the page while something on it would be lost: by a link, by Back, by closing the tab. */
import { type ReactNode, useEffect } from 'react'
import { type Blocker, type Location, useBlocker } from 'react-router'

type Props = {
  /** Nobody is held back when the way leads there. */
  isFree: (to: Location) => boolean
  /** The question to whoever was held back: `proceed` leaves all the same, `reset` stays. */
  children: (blocked: Extract<Blocker, { state: 'blocked' }>) => ReactNode
}

/** Guards as long as it is drawn. */
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
