/** A whole screen that waits: a spinner that says what for. */
import { Spinner } from '#web/ui/spinner.tsx'
import classes from './calm-screen.module.css'

export function WaitingScreen({ text }: { text: string }) {
  return (
    <main className={classes.screen} aria-busy>
      <h1 className="visually-hidden">pKdex</h1>
      <Spinner text={text} />
    </main>
  )
}
