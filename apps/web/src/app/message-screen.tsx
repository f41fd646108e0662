/** Whole screens with one message and one way on, without the router: waiting, out of reach, broken, and what others make of them. */
import { Button } from '#web/ui/button.ts'
import type { ReactNode } from 'react'
import { isOutOfReach } from '#web/lib/api.ts'
import { Logo } from '#web/ui/logo.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './message-screen.module.css'

type MessageProps = { title: string; text: string; action: ReactNode }

export function MessageScreen({ title, text, action }: MessageProps) {
  return (
    <main className={classes.screen}>
      <title>{`${title} · pKdex`}</title>
      <div className={classes.message}>
        {/* Not the router's link: these screens stand where the router may be what is missing. */}
        <a href="/prompt" className={classes.logo} aria-label="pKdex, to upload">
          <Logo />
        </a>
        <h1>{title}</h1>
        <p className="quiet">{text}</p>
        <div className={classes.action}>{action}</div>
      </div>
    </main>
  )
}

/** A whole screen that waits: a spinner that says what for. */
export function WaitingScreen({ text }: { text: string }) {
  return (
    <main className={classes.screen} aria-busy>
      <h1 className="visually-hidden">pKdex</h1>
      <Spinner text={text} />
    </main>
  )
}

type UnverifiedProps = {
  error: unknown
  /** What the server said, or that it did not say anything that can be shown. */
  reason: string
  onRetry: () => void
}

/** A stored session that the server neither confirmed nor refused: why, that nothing is lost, and Retry. */
export function UnverifiedScreen({ error, reason, onRetry }: UnverifiedProps) {
  const action = <Button onClick={onRetry}>Retry</Button>
  return isOutOfReach(error) ? (
    <MessageScreen
      title="The server cannot be reached"
      text="You are still signed in. Check the connection, then try again."
      action={action}
    />
  ) : (
    <MessageScreen
      title="Your session could not be checked"
      text={`${reason} You are still signed in. Try again in a moment.`}
      action={action}
    />
  )
}

/** The last net: a page that could not be loaded or drawn says so and offers a reload. */
export function RouteFailure() {
  return (
    <MessageScreen
      title="This page could not be shown"
      text="Your files and predictions are safe. Reloading usually helps."
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    />
  )
}
