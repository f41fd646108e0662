/** A spinner, always with a text. */
import classes from './spinner.module.css'

export function Spinner({ text }: { text: string }) {
  return (
    <output className={classes.waiting}>
      <SpinnerRing />
      {text}
    </output>
  )
}

/** Only the ring, if the text is already next to it. */
export function SpinnerRing() {
  return <span className={classes.ring} aria-hidden="true" />
}
