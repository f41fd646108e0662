/** What the user's own measured values make of a number, in a line under it. */
import type { PredictionResult } from '@pkdex/contract'
import { Link } from 'react-router'
import { countOf } from '#web/lib/format.ts'
import { formatBounds, formatPkd } from '#web/lib/affinity.ts'
import classes from './value-details.module.css'

export function OwnValues({ details }: { details: PredictionResult }) {
  const { own_values: own, own_values_unused: unused } = details
  if (unused !== undefined) return <UnusedValues {...unused} />
  if (own === undefined) return null
  return (
    <li>
      <span className={classes.mark} aria-hidden="true" />
      <b>
        With your values{own.start === 'structure_adjusted' && ' and structure'}{' '}
        {formatPkd(own.predicted_kd)}
      </b>
      <span>
        {formatBounds(own.interval)}, from{' '}
        <Link to="/measurements">{countOf(own.count, 'value')}</Link>
        {own.is_harmful === true && '. They make predictions worse'}
      </span>
    </li>
  )
}

type UnusedProps = NonNullable<PredictionResult['own_values_unused']>

function UnusedValues({ count, is_harmful }: UnusedProps) {
  return (
    <li>
      <span className={classes.mark} aria-hidden="true" />
      <b>Your values are not used</b>
      <span>
        <Link to="/measurements">{countOf(count, 'value')}</Link>{' '}
        {is_harmful ? 'that would make predictions worse' : 'switched off'}
      </span>
    </li>
  )
}
