/** Shows whether own values help on a target: predicted vs measured (leave-one-out) and the verdict. */
import { Flex } from '#web/ui/layout.ts'
import {
  type Agreement,
  chooseUseOfMeasurements,
  type ComparedMeasurement,
  type MeasurementComparison,
} from '@pkdex/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { call, messageOf } from '#web/lib/api.ts'
import { countOf, formatNumber } from '#web/lib/format.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import table from '#web/ui/table.module.css'
import { comparisonQuery, useRefreshMeasurements } from './measurement-queries.ts'
import classes from './measurements.module.css'
import { type ComparedPair, Scatter, type UseDrawSmiles } from './scatter.tsx'

/** `hasValues`: a comparison will be loaded, so its space is reserved. */
type Props = { target: string; useDrawSmiles: UseDrawSmiles; hasValues: boolean }

export function Comparison({ target, useDrawSmiles, hasValues }: Props) {
  const query = useQuery(comparisonQuery(target))
  const waiting = query.data?.waiting ?? 0
  return (
    <Panel
      title="Predicted vs measured"
      action={
        <output className="small quiet">
          {waiting > 0 && `Predicting ${countOf(waiting, 'compound')}.`}
        </output>
      }
    >
      <div className={classes.comparison} data-room={hasValues}>
        <Loaded
          query={query}
          what="the comparison"
          failure="Failed to load the comparison"
          reasonOf={(error) => messageOf(error, 'Try again.')}
          lines={4}
        >
          {(comparison) => <Compared comparison={comparison} useDrawSmiles={useDrawSmiles} />}
        </Loaded>
      </div>
    </Panel>
  )
}

const verdictTones = {
  helps: 'success',
  harms: 'warning',
  'no better than the average': 'warning',
  'no difference': 'info',
  'too few': 'info',
} as const

type ComparedProps = { comparison: MeasurementComparison; useDrawSmiles: UseDrawSmiles }

function Compared({ comparison, useDrawSmiles }: ComparedProps) {
  const { compared, waiting, verdict, summary } = comparison
  if (compared.length === 0 && waiting === 0) {
    return <p className="quiet">Import values for this target to check the predictions.</p>
  }
  const predicted = compared.filter(isPredicted)
  const unpredicted = compared.length - predicted.length
  return (
    <div className={classes.compared}>
      {compared.length > 0 && (
        <>
          <Note tone={verdictTones[verdict]}>{summary}</Note>
          <UseChoice comparison={comparison} />
          {predicted.length > 0 && <Scatter compared={predicted} useDrawSmiles={useDrawSmiles} />}
          {unpredicted > 0 && <Unpredicted count={unpredicted} />}
          <Figures comparison={comparison} />
          <details className="small quiet">
            <summary>Method</summary>
            <p>
              Each compound is predicted from the others (leave-one-out); replicates count as their
              geometric mean. Values with &lt; or &gt; are excluded here. Ki and IC50 are compared
              with pKd directly; IC50 depends on the assay.
            </p>
          </details>
        </>
      )}
    </div>
  )
}

function isPredicted(one: ComparedMeasurement): one is ComparedPair {
  return one.without_own !== null && one.with_own !== null
}

function Unpredicted({ count }: { count: number }) {
  return (
    <p className="small quiet">
      {`${countOf(count, 'measured compound')} not predicted on this target yet: `}
      <Link to="/prompt">predict</Link> so that their values count.
    </p>
  )
}

/** Switches whether predictions on this target use the values: the user's choice, or the verdict's by default. */
function UseChoice({ comparison: { target, is_used } }: { comparison: MeasurementComparison }) {
  const refresh = useRefreshMeasurements()
  const choice = useMutation({
    mutationFn: (use: boolean) => call(chooseUseOfMeasurements, { body: { target, use } }),
    onSuccess: refresh,
  })
  return (
    <>
      <Flex component="label" gap="xs" align="center" mih={44}>
        <input
          type="checkbox"
          checked={is_used}
          disabled={choice.isPending}
          onChange={({ currentTarget }) => choice.mutate(currentTarget.checked)}
        />
        Use these values in predictions
      </Flex>
      {choice.isError && <Note tone="failure">{messageOf(choice.error, 'Try again.')}</Note>}
    </>
  )
}

const figures = [
  ['RMSE (pK units)', 'rmse'],
  ['Rank correlation (Kendall’s τ)', 'tau'],
] as const

const sides = [
  ['Without your values', 'without_own'],
  ['With your values', 'with_own'],
  ['Average of your values', 'mean_of_own'],
] as const

export function Figures({ comparison }: { comparison: MeasurementComparison }) {
  return (
    <DataTable
      label="Agreement with measured values"
      isInset
      rows={figures}
      keyOf={([, name]) => name}
      columns={[
        { title: 'Metric', cellClass: table.wide, cell: ([title]) => title },
        ...sides.map(([title, side]) => ({
          title,
          label: true as const,
          isNumber: true,
          cellClass: table.wide,
          cell: ([, name]: (typeof figures)[number]) => wordFigure(comparison[side], name),
        })),
      ]}
    />
  )
}

function wordFigure(agreement: Agreement, name: 'rmse' | 'tau'): string {
  const shown = (value: number | null) => formatNumber(value, 2)
  const { [name]: value, tau_interval: interval } = agreement
  if (value === null || name === 'rmse' || interval === null) return shown(value)
  return `${shown(value)} (${shown(interval.lower)} to ${shown(interval.upper)})`
}
