/** The line that says a box has what it needs. */
import { Icon } from '#web/ui/icon.tsx'
import classes from './report.module.css'

export function Done({ text }: { text: string }) {
  return (
    <output className={classes.done}>
      <Icon name="done" />
      {text}
    </output>
  )
}
