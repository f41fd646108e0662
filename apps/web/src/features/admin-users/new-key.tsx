/** A new API key, shown only once: asks before an uncopied key disappears. */
import { createUserKey } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callAdmin } from '#web/lib/admin-api.ts'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { ShownOnce } from '#web/ui/shown-once.tsx'
import { useRefreshAdmin } from './users-query.ts'

const notCopied = {
  title: 'You have not copied the new key',
  text: 'It cannot be shown again. Without it you will need to generate another key.',
}

type Props = {
  apiKey: string
  isCopied: boolean
  /** The user copied the key, with the button or by selecting it. */
  onCopied: () => void
  onDone: () => void
  /** An action is about to remove the new key from the page. */
  question: { lose: () => void; keep: () => void } | null
}

export function NewKey({ apiKey, isCopied, onCopied, onDone, question }: Props) {
  return (
    <ShownOnce secret={apiKey} {...{ isCopied, onCopied, onDone }}>
      {!isCopied && <AskBeforeLeaving />}
      {question !== null && (
        <ConfirmDialog
          {...notCopied}
          confirm="Continue without copying"
          cancel="Go back"
          isDangerous
          onConfirm={question.lose}
          onClose={question.keep}
        />
      )}
    </ShownOnce>
  )
}

function AskBeforeLeaving() {
  return (
    <LeaveGuard
      isFree={({ pathname, state }) => pathname === '/admin/login' || state?.deleted !== undefined}
    >
      {({ proceed, reset }) => (
        <ConfirmDialog
          {...notCopied}
          confirm="Leave without copying"
          cancel="Stay"
          isDangerous
          onConfirm={proceed}
          onClose={reset}
        />
      )}
    </LeaveGuard>
  )
}

/** Actions that would remove the shown key. */
type Step = 'put away' | 'make another'

/** A key shown only once: created, shown, copied, dismissed; an action that would lose it asks first. */
export function useNewKey(userId: string) {
  const refresh = useRefreshAdmin()
  const [copiedKey, setCopiedKey] = useState<string | null>(null)
  const [doubtful, setDoubtful] = useState<Step | null>(null)
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: () => callAdmin(createUserKey, { params: { userId } }),
    onSuccess: () => refresh('user', 'database', 'audit'),
    // A key shown only once must not be cached.
    gcTime: 0,
  })
  const key = data?.key ?? null
  const isCopied = key !== null && key === copiedKey

  function take(step: Step) {
    setDoubtful(null)
    if (step === 'put away') reset()
    else mutate()
  }

  function ask(step: Step) {
    if (key === null || isCopied) take(step)
    else setDoubtful(step)
  }

  return {
    make: () => ask('make another'),
    isPending,
    error: isPending ? null : error,
    /** The key on the screen, if there is one. */
    shown: key && {
      apiKey: key,
      isCopied,
      onCopied: () => setCopiedKey(key),
      onDone: () => ask('put away'),
      question: doubtful && { lose: () => take(doubtful), keep: () => setDoubtful(null) },
    },
  }
}
