/** A spinner, never without words. */
import classes from './spinner.module.css'

export function Spinner({ text }: { text: string }) {
  return (
    <output className={classes.waiting}>
      <SpinnerRing />
      {text}
    </output>
  )
}

/** The ring alone, where the words stand beside it already. */
export function SpinnerRing() {
  return <span className={classes.ring} aria-hidden="true" />
}
