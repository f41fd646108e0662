/** The life of a key that is shown once: made, shown, copied, put away; a step that would lose it waits for a word. */
import { createUserKey } from '@pkdex/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefreshAdmin } from '#web/lib/admin-cache.ts'
import { callAdmin } from '#web/lib/admin-session.ts'

/** What takes the shown key away. */
type Step = 'put away' | 'make another'

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
