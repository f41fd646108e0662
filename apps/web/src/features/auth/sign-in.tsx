/** The sign-in button, its three labels, and its error messages. */
import { Button } from '#web/ui/button.ts'
import { type ConnectionConfig, messages } from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { countOf, largeCountOf } from '#web/lib/format.ts'
import { Note } from '#web/ui/note.tsx'
import { SpinnerRing } from '#web/ui/spinner.tsx'
import {
  type GoogleIdentity,
  googleIdentityQuery,
  hasGoogle,
  otherProviders,
  type PromptMoment,
} from './google-identity.ts'
import { readInvitation, signIn } from './session.ts'
import classes from './sign-in.module.css'

const OtherProviders = lazy(async () => ({
  default: (await import('./other-providers.tsx')).OtherProviders,
}))

type Step = ReturnType<typeof useSignIn>['step']

const texts: Record<Step, string> = {
  loading: 'Loading...',
  ready: 'Sign in with Google',
  'signing-in': 'Signing in...',
}

/** `notice` (e.g. session expired) is shown until a newer message replaces it. */
export function SignIn({ notice }: { notice: string | null }) {
  const { step, failure, hasFailedToOpen, identity, needsOwnButton, open } = useSignIn()
  const text = failure ?? notice
  const isGoogleOwn = needsOwnButton && step === 'ready' && identity !== undefined

  const hasOthers = otherProviders.useValue().length > 0
  const isWithoutGoogle = identity !== undefined && !hasGoogle(identity.config)

  return (
    <div className={classes.signIn}>
      {isWithoutGoogle ? null : isGoogleOwn ? (
        <GoogleOwnButton identity={identity} />
      ) : (
        <SignInButton step={step} isSpinning={!hasFailedToOpen} onClick={open} />
      )}
      {hasOthers && (
        <Suspense>
          <OtherProviders />
        </Suspense>
      )}
      <div className={classes.below}>
        {text !== null && <Failure text={text} onRetry={hasFailedToOpen ? open : undefined} />}
        <SignInTerms config={identity?.config} isFallback={isGoogleOwn} />
      </div>
    </div>
  )
}

type ButtonProps = { step: Step; isSpinning: boolean; onClick: () => void }

/** Never `disabled`: an early click shows a message, and the button keeps the focus. */
function SignInButton({ step, isSpinning, onClick }: ButtonProps) {
  const isWaiting = step !== 'ready'
  return (
    <Button
      className={classes.button}
      mod={{ waiting: isWaiting }}
      onClick={onClick}
      leftSection={isWaiting ? isSpinning && <SpinnerRing /> : <GoogleMark />}
    >
      {texts[step]}
    </Button>
  )
}

function Failure({ text, onRetry }: { text: string; onRetry: (() => void) | undefined }) {
  return (
    <Note tone="failure">
      {text}
      {onRetry !== undefined && (
        <Button variant="default" mt="sm" display="block" onClick={onRetry}>
          Retry
        </Button>
      )}
    </Note>
  )
}

/** Google's own button, in the place and size of ours, with the same label. */
function GoogleOwnButton({ identity }: { identity: GoogleIdentity }) {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (place.current === null) return
    place.current.replaceChildren()
    identity.accounts.renderButton?.(place.current, {
      type: 'standard',
      theme: 'outline',
      size: 'large',
      text: 'signin_with',
      locale: 'en',
      width: place.current.clientWidth,
    })
  }, [identity])

  return <div ref={place} className={classes.ownButton} />
}

/** Google's G in one colour, as its guidelines allow on a filled button. */
function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 48 48" aria-hidden="true" fill="currentColor">
      <path d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5zM46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65zM10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19zM24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z" />
    </svg>
  )
}

type TermsProps = { config: ConnectionConfig | undefined; isFallback: boolean }

/** The small print under the button: what signing in does, and whether it is the development identity provider. */
function SignInTerms({ config, isFallback }: TermsProps) {
  return (
    <>
      <output className={classes.terms}>
        {isFallback && 'No Google window? Use Google’s own button above. '}
        {config?.is_stand_in === true && (
          <>
            <strong>Development sign-in.</strong> No Google account needed
            {config.is_by_invitation === true ? '. ' : ': any email address works. '}
          </>
        )}
        {config !== undefined && firstSignIn(config)}
      </output>
      {config?.is_stand_in_exposed === true && (
        <Note tone="warning" title="Anyone who can reach this address can sign in as any user">
          The development sign-in is enabled beyond this machine (DEV_IDENTITY=on). Use it only on a
          closed network.
        </Note>
      )}
    </>
  )
}

/** Older servers do not send the cost of a prediction. */
function firstSignIn(config: ConnectionConfig): string {
  const { initial_credits: credits, credits_per_prediction: price } = config
  if (readInvitation() !== null) {
    return 'You are invited. Sign in with any account; it is linked to your invitation.'
  }
  const costs = price === undefined ? '' : ` A prediction costs ${countOf(price, 'credit')}.`
  if (config.is_by_invitation === true) return `Sign-up is by invitation only.${costs}`
  const account = 'Your first sign-in creates an account'
  return credits === undefined || costs === ''
    ? `${account}.`
    : `${account} with ${largeCountOf(credits, 'credit')}.${costs}`
}

/** Nonces expire: a page that was open for longer requests a new one before signing in. */
const NONCE_FRESH_MS = 12 * 3_600_000

/** The steps of signing in: load the service, choose an account, verify it. Only the latest error is shown. */
function useSignIn() {
  const [isTooEarly, setTooEarly] = useState(false)
  const login = useMutation({
    mutationFn: signIn,
    // The nonce is used up: the next attempt needs a new one.
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
    /** The service failed to load, and can be loaded again. */
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

/** If Google's account chooser does not appear within this time, Google's own button replaces ours. */
const PATIENCE_MS = 3000

/**
 * Opens the account chooser. Google does not always show it (no Google session in this browser,
 * closed too often, disabled in the settings), and under FedCM does not say so. Then Google's own
 * button, which opens a window and always works, replaces ours.
 */
function usePrompt(identity: GoogleIdentity | undefined) {
  const [failure, setFailure] = useState<string | null>(null)
  const [needsOwnButton, setNeedsOwnButton] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => () => clearTimeout(timer.current), [])

  const open = () => {
    setFailure(null)
    const fallBack = () => setNeedsOwnButton(hasOwnButton(identity))
    try {
      // A service without `prompt` throws here as well.
      identity?.accounts.prompt((moment) => isOver(moment) && fallBack())
    } catch {
      return setFailure(messages.login.googleNoAccess)
    }
    clearTimeout(timer.current)
    timer.current = setTimeout(fallBack, PATIENCE_MS)
  }

  return { open, failure, needsOwnButton }
}

/** The development identity provider always shows its chooser, so closing it does not replace our button. */
function hasOwnButton(identity: GoogleIdentity | undefined): boolean {
  return identity?.config.is_stand_in === false && identity.accounts.renderButton !== undefined
}

function isOver(moment: PromptMoment): boolean {
  return moment.isNotDisplayed?.() === true || moment.isSkippedMoment?.() === true
}
