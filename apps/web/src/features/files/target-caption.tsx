/** What was read of the selected target, under its picture: the report of the upload in a few lines. */
import type { Target } from '@pkdex/contract'
import styles from './caption.module.css'
import { describeInLines } from './describe-target.ts'

export function TargetCaption({ target }: { target: Target }) {
  const { name, report } = target
  return (
    <div className={styles.caption}>
      <b>{name}</b>
      {describeInLines(target).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {report.warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  )
}
