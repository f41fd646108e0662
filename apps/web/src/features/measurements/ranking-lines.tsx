/** Says where predictions are ranked how well the model orders compounds: on published series, and on own values. */
import type { MeasurementComparison } from '@pkdex/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { OwnerOnly, useViewing } from '#web/lib/viewing.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { describeOrder, figuresQuery } from '#web/lib/model-accuracy.ts'
import { comparisonQuery, measurementsQuery } from './measurement-queries.ts'
import classes from './ranking-lines.module.css'

/** With fewer, an order says nothing. */
const OWN_VALUES_MIN = 5
const TARGETS_SHOWN = 3

export function RankingLines({ targets }: { targets: string[] }) {
  const names = [...new Set(targets)]
  const { data: figures, isError } = useQuery(figuresQuery())
  const viewing = useViewing()
  const counted = useQuery({ ...measurementsQuery('', 1), enabled: viewing === null }).data
  const measured = counted?.targets.flatMap(({ name, count }) =>
    names.includes(name) && count >= OWN_VALUES_MIN ? [name] : [],
  )
  const compared = (viewing === null ? measured : names)?.slice(0, TARGETS_SHOWN) ?? []
  const comparisons = useQueries({ queries: compared.map((name) => comparisonQuery(name)) })
  const general = figures && describeOrder(figures)
  if (isError || general === null || names.length === 0) return null
  // Its room is kept, so that the lines move nothing when they arrive.
  if (general === undefined) return <div className={classes.lines} />
  return (
    <div className={classes.lines}>
      <p>
        {general}{' '}
        <OwnerOnly>
          {names.slice(0, TARGETS_SHOWN).map((name, at) => (
            <Fragment key={name}>
              {at > 0 && ', '}
              <Link to={`/targets/${encodeURIComponent(name)}`}>{`How good on ${name}?`}</Link>
            </Fragment>
          ))}
        </OwnerOnly>
      </p>
      {comparisons.map(({ data }) => {
        const text = data && describeOwnOrder(data, viewing?.owner)
        return text && <p key={data.target}>{text}</p>
      })}
    </div>
  )
}

/** Null with fewer than five exact values whose pair is predicted. */
export function describeOwnOrder(comparison: MeasurementComparison, owner?: string): string | null {
  const { target, compared, without_own: without, with_own: own } = comparison
  const exact = compared.filter((one) => one.bound === null && one.without_own !== null)
  if (exact.length < OWN_VALUES_MIN || without.tau === null) return null
  const whose = owner === undefined ? 'your' : `${owner}’s`
  const adjusted = own.tau === null ? '' : ` (${formatNumber(own.tau, 2)} with ${whose} values)`
  return `On ${whose} ${exact.length} values for ${target}: tau ${formatNumber(without.tau, 2)}${adjusted}.`
}
