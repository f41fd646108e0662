/** Sentences about anything unusual in a file. */
import { Icon } from '#web/ui/icon.tsx'
import classes from './report.module.css'

export function Warnings({ warnings }: { warnings: string[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className={classes.warnings} aria-label="Warnings">
      {warnings.map((warning) => (
        <li key={warning}>
          <Icon name="warning" size={16} />
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  )
}
