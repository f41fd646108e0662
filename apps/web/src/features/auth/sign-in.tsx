/** The one button of the login screen, its three texts, and what went wrong. */
import { Button } from '@mantine/core'
import { Note } from '#web/ui/note.tsx'
import { SpinnerRing } from '#web/ui/spinner.tsx'
import { GoogleMark } from './google-mark.tsx'
import { GoogleOwnButton } from './google-own-button.tsx'
import { SignInTerms } from './sign-in-terms.tsx'
import { useSignIn } from './use-sign-in.ts'
import classes from './sign-in.module.css'

type Step = ReturnType<typeof useSignIn>['step']

const texts: Record<Step, string> = {
  loading: 'Loading...',
  ready: 'Sign in with Google',
  'signing-in': 'Signing in...',
}

/** `notice` stands there until something newer is to be said: an expired session. */
export function SignIn({ notice }: { notice: string | null }) {
  const { step, failure, hasFailedToOpen, identity, needsOwnButton, open } = useSignIn()
  const text = failure ?? notice
  const isGoogleOwn = needsOwnButton && step === 'ready' && identity !== undefined

  return (
    <div className={classes.signIn}>
      {isGoogleOwn ? (
        <GoogleOwnButton identity={identity} />
      ) : (
        <SignInButton step={step} isSpinning={!hasFailedToOpen} onClick={open} />
      )}
      <div className={classes.below}>
        {text !== null && <Failure text={text} onRetry={hasFailedToOpen ? open : undefined} />}
        <SignInTerms config={identity?.config} isFallback={isGoogleOwn} />
      </div>
    </div>
  )
}

type ButtonProps = { step: Step; isSpinning: boolean; onClick: () => void }

/** Never `disabled`: a click that comes too early gets an answer, and the focus stays where it is. */
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
