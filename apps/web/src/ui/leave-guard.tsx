/** Asks before the page is left while something on it would be lost: by a link, by Back, by closing the tab. */
import { useEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  /** Nothing is asked when the way leads there. */
  isFree: (to: Location) => boolean
  title: string
  text: string
  /** The button that leaves all the same. */
  leave: string
}

/** Guards as long as it is drawn. */
export function LeaveGuard({ isFree, title, text, leave }: Props) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && !isFree(nextLocation),
  )

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])

  if (blocker.state !== 'blocked') return null
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirm={leave}
      cancel="Stay"
      isDangerous
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}
