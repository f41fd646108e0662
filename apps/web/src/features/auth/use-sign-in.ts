/** Signing in, step by step: the service opens, the user chooses, the server verifies. One failure is told at a time, the newest. */
import { messages } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { signIn } from '#web/lib/session.ts'
import { googleIdentityQuery } from './google-identity.ts'
import { usePrompt } from './use-prompt.ts'

/** A nonce does not live for ever: a page that stood open longer fetches a new one before it asks. */
const NONCE_FRESH_MS = 12 * 3_600_000

export function useSignIn() {
  const [isTooEarly, setTooEarly] = useState(false)
  const login = useMutation({
    mutationFn: signIn,
    // The nonce is spent: the next try needs another.
    onError: () => void identity.refetch(),
  })
  const identity = useQuery(googleIdentityQuery(login.mutate))
  const prompt = usePrompt(identity.data)
  const isReady = identity.data !== undefined

  const open = () => {
    if (login.isPending) return
    login.reset()
    if (!isReady) return identity.isFetching ? setTooEarly(true) : void identity.refetch()
    if (Date.now() - identity.dataUpdatedAt < NONCE_FRESH_MS) return prompt.open()
    void identity.refetch().then(prompt.open)
  }

  return {
    step: login.isPending ? 'signing-in' : isReady ? 'ready' : 'loading',
    /** The service did not open: worth another try. */
    hasFailedToOpen: identity.isError && !identity.isFetching,
    failure: [
      login.error && loginFailure(login.error),
      prompt.failure,
      isTooEarly && !isReady ? messages.login.googleNotReady : null,
      identity.isFetching ? null : identity.error?.message,
    ].find((text) => typeof text === 'string'),
    identity: identity.data,
    needsOwnButton: prompt.needsOwnButton,
    open,
  } as const
}

function loginFailure(error: Error): string {
  const isForbidden = error instanceof ApiError && error.status === 403
  return messageOf(error, isForbidden ? messages.login.forbidden : messages.login.failed)
}
