/** What a pair's number rests on: a chip per stage, and a table of the stages with the number after each. */
import { Group } from '#web/ui/layout.ts'
import type { OwnValuesVerdict, PredictionResult } from '@pkdex/contract'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatBounds, formatPkd } from '#web/lib/affinity.ts'
import { countOf } from '#web/lib/format.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { Popover } from '#web/ui/popover.tsx'
import classes from './estimate-stages.module.css'

type Props = { details: PredictionResult; target: string | null }

type Stage = {
  chip: string
  title: ReactNode
  number: Pick<PredictionResult, 'predicted_kd' | 'interval'>
}

export function EstimateStages({ details, target }: Props) {
  const stages = stagesOf(details, target)
  return (
    <Group gap="xs" mt={10}>
      {stages.map(({ chip }) => (
        <span key={chip} className={classes.chip}>
          {chip}
        </span>
      ))}
      {stages.length > 1 && (
        <Popover label="How this was obtained" variant="subtle">
          <DataTable
            label="Stages"
            isInset
            rows={stages}
            keyOf={({ chip }) => chip}
            columns={stageColumns}
          />
        </Popover>
      )}
    </Group>
  )
}

/** The last one is the best estimate. */
function stagesOf(details: PredictionResult, target: string | null): Stage[] {
  const { best_estimate: best } = details
  const stages: Stage[] = [
    { chip: 'Sequence + compound', title: 'Sequence and compound', number: details },
  ]
  if (best?.pose !== undefined) {
    const chip = `Pose in ${target ?? 'your structure'}`
    stages.push({ chip, title: '+ pose in your structure', number: best.pose })
  }
  if (best !== undefined && best.own_values > 0) {
    const title = (
      <>
        + your <Link to="/measurements">{countOf(best.own_values, 'value')}</Link>
      </>
    )
    stages.push({ chip: countOf(best.own_values, 'own value'), title, number: best })
  }
  return stages
}

const stageColumns: Column<Stage>[] = [
  { title: 'Stage', cell: ({ title }) => title },
  {
    title: 'pKd',
    label: true,
    isNumber: true,
    cell: ({ number }) => formatPkd(number.predicted_kd),
  },
  {
    title: '95% interval',
    label: true,
    isNumber: true,
    cell: ({ number }) => formatBounds(number.interval),
  },
]

/** Why measured values on the target do not move the number; nothing if they do, or if there are none. */
export function UnusedValues({ details }: { details: PredictionResult }) {
  const { own_values_unused: unused, own_values_unpredicted: unpredicted } = details
  return (
    <>
      {unused && (
        <Unused
          title="Your values are not used"
          count={unused.count}
          why={whyUnused(unused.verdict)}
        />
      )}
      {unpredicted !== undefined && (
        <Unused
          title="Some of your values do not count yet"
          count={unpredicted}
          why="for compounds that are not predicted on this target"
        />
      )}
    </>
  )
}

function Unused({ title, count, why }: { title: string; count: number; why: string }) {
  return (
    <li>
      <span className={classes.mark} aria-hidden="true" />
      <b>{title}</b>
      <span>
        <Link to="/measurements">{countOf(count, 'value')}</Link> {why}
      </span>
    </li>
  )
}

function whyUnused(verdict: OwnValuesVerdict): string {
  if (verdict === 'harms') return 'that would make predictions worse'
  if (verdict === 'no better than the average') return 'that predict no better than their average'
  return 'switched off'
}
