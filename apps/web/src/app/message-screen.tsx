/** Full-page messages with one action, independent of the router: loading, unreachable, broken. */
import { Button } from '#web/ui/button.ts'
import { type ReactNode, useEffect } from 'react'
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
        {/* Not a router link: these screens are also shown if the router failed to load. */}
        <a href="/prompt" className={classes.logo} aria-label="pKdex, go to Upload">
          <Logo />
        </a>
        <h1>{title}</h1>
        <p className="quiet">{text}</p>
        <div className={classes.action}>{action}</div>
      </div>
    </main>
  )
}

/** A full-page spinner that says what is loading. */
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
  /** The server's message, or a note that it sent none that can be shown. */
  reason: string
  onRetry: () => void
}

/** A stored session that the server neither confirmed nor refused: shows the reason, that nothing is lost, and Retry. */
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
      title="Your session could not be verified"
      text={`${reason} You are still signed in. Try again in a moment.`}
      action={action}
    />
  )
}

/** Inside the frame, whose links still work: a page whose code failed to load. It is loaded again once online. */
export function PageFailure() {
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <div className={classes.page}>
      <h1>This page could not be loaded</h1>
      <p className="quiet">
        {navigator.onLine
          ? 'Your files and predictions are safe. Reloading usually helps.'
          : 'You are offline. The page loads once you are connected again.'}
      </p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  )
}

/** The last resort: offers a reload of a page that failed to load or render. */
export function RouteFailure() {
  return (
    <MessageScreen
      title="This page could not be loaded"
      text="Your files and predictions are safe. Reloading usually helps."
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    />
  )
}
