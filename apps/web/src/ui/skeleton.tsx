/** The shape of what is coming, and a word for those who do not see it. */
import classes from './skeleton.module.css'

/** Lines in the place of a table or a list. */
export function SkeletonLines({ lines, what }: { lines: number; what: string }) {
  return (
    <div className={classes.lines} aria-busy="true">
      <span className="visually-hidden">Loading {what}</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className={classes.line}>
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}

/** A number that is not known yet. */
export function SkeletonNumber() {
  return <span className={classes.number} />
}
