/** A measured value, after a filled diamond. The diamond is used for nothing else. */
import type { ReactNode } from 'react'
import classes from './measured-mark.module.css'

export function MeasuredMark({ children }: { children: ReactNode }) {
  return (
    <span className={classes.measured}>
      <Diamond />
      <span className="visually-hidden">Measured </span>
      {children}
    </span>
  )
}

/** The mark alone, for a key. */
export function Diamond() {
  return <span className={classes.diamond} aria-hidden="true" />
}
