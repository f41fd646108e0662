/** A measured value, after a filled diamond. The diamond is used for nothing else. */
import type { ReactNode } from 'react'
import classes from './measured-mark.module.css'

export function MeasuredMark({ children }: { children: ReactNode }) {
  return (
    <span className={classes.measured}>
      <span className={classes.diamond} aria-hidden="true" />
      <span className="visually-hidden">Measured </span>
      {children}
    </span>
  )
}
