/** On or off: a filled or a hollow dot, and the word. */
import classes from './status-dot.module.css'

export function StatusDot({ isOn, children }: { isOn: boolean; children: string }) {
  return (
    <span className={classes.status} data-on={isOn}>
      {children}
    </span>
  )
}
