/** A prediction that did not come: what happened, and the one way on. */
import { messages } from '@pkdex/contract'
import { Button } from '@mantine/core'
import { Note } from '#web/ui/note.tsx'
import type { Reading } from './reading.ts'

type Props = {
  failure: Extract<Reading, { status: 'failed' }>['failure']
  onAsk: () => void
  onReturnToLogin: () => void
}

export function FailureNote({ failure, onAsk, onReturnToLogin }: Props) {
  const { title, message, remedy } = failure
  const action =
    remedy === 'sign in' ? (
      <Button variant="default" onClick={onReturnToLogin}>
        {messages.results.returnToLogin}
      </Button>
    ) : (
      <Button variant="default" onClick={onAsk}>
        Try Again
      </Button>
    )
  return (
    <Note tone="failure" title={title} action={action}>
      {message}
    </Note>
  )
}
