/** A new API key, shown this once: Copy it, or be asked before anything takes it away. */
import { createUserKey } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callAdmin } from '#web/lib/admin-api.ts'
import { LeaveGuard } from '#web/lib/leave-guard.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { ShownOnce } from '#web/ui/shown-once.tsx'
import { useRefreshAdmin } from './users-query.ts'

const notCopied = {
  title: 'The new key has not been copied',
  text: 'It cannot be shown again. Without a copy you would have to generate another one.',
}

type Props = {
  apiKey: string
  isCopied: boolean
  /** By the button, or by hand. */
  onCopied: () => void
  onDone: () => void
  /** Something is about to take the key away. */
  question: { lose: () => void; keep: () => void } | null
}

export function NewKey({ apiKey, isCopied, onCopied, onDone, question }: Props) {
  return (
    <ShownOnce secret={apiKey} {...{ isCopied, onCopied, onDone }}>
      {!isCopied && <AskBeforeLeaving />}
      {question !== null && (
        <ConfirmDialog
          {...notCopied}
          confirm="Go on without it"
          cancel="Keep it"
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
          confirm="Leave without it"
          cancel="Stay"
          isDangerous
          onConfirm={proceed}
          onClose={reset}
        />
      )}
    </LeaveGuard>
  )
}

/** What takes the shown key away. */
type Step = 'put away' | 'make another'

/** The life of a key that is shown once: made, shown, copied, put away; a step that would lose it waits for a word. */
export function useNewKey(userId: string) {
  const refresh = useRefreshAdmin()
  const [copiedKey, setCopiedKey] = useState<string | null>(null)
  const [doubtful, setDoubtful] = useState<Step | null>(null)
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: () => callAdmin(createUserKey, { params: { userId } }),
    onSuccess: () => refresh('user', 'database', 'audit'),
    // A key that is shown once has no place in a cache.
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
