/** A stored session that the server did not judge: why, that nothing is lost, and Retry. */
import { Button } from '@mantine/core'
import { isOutOfReach } from '#web/lib/api.ts'
import { CalmScreen } from './calm-screen.tsx'

type Props = {
  error: unknown
  /** What the server said, or that it did not say anything that can be shown. */
  reason: string
  onRetry: () => void
}

export function UnverifiedScreen({ error, reason, onRetry }: Props) {
  const action = <Button onClick={onRetry}>Retry</Button>
  return isOutOfReach(error) ? (
    <CalmScreen
      title="The server cannot be reached"
      text="You are still signed in. Check the connection, then try again."
      action={action}
    />
  ) : (
    <CalmScreen
      title="Your session could not be checked"
      text={`${reason} You are still signed in. Try again in a moment.`}
      action={action}
    />
  )
}
