/** What the user's own measured values make of a number, in a sentence beside it. */
import type { PredictionResult } from '@pkdex/contract'
import { Link } from 'react-router'
import { countOf } from '#web/lib/format.ts'
import { formatBounds, formatPkd } from '#web/lib/affinity.ts'
import classes from './own-values.module.css'

export function OwnValues({ details }: { details: PredictionResult }) {
  const { own_values: own, predicted_kd: pkd, interval } = details
  if (own === undefined) return null
  return (
    <p className={classes.own}>
      {`With your ${countOf(own.count, 'value')} `}
      <b>{formatPkd(own.predicted_kd)}</b>
      {` (${formatBounds(own.interval)}), without ${formatPkd(pkd)} (${formatBounds(interval)}). `}
      <Link to="/measurements">Your measured values</Link>
    </p>
  )
}
