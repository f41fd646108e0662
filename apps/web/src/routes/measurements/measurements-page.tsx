/** `/measurements`: a target's own measured values, imported, listed, and held against the model's numbers. */
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { targetListQuery } from '#web/features/files/file-lists.ts'
import { Comparison } from '#web/features/measurements/comparison.tsx'
import { ImportForm } from '#web/features/measurements/import-form.tsx'
import { measurementsQuery } from '#web/features/measurements/measurement-queries.ts'
import { ValueTable } from '#web/features/measurements/value-table.tsx'
import { messageOf } from '#web/lib/api.ts'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { PageHead, Panel } from '#web/ui/panel.tsx'
import classes from './measurements-page.module.css'

export function MeasurementsPage() {
  const targets = useQuery(targetListQuery())
  return (
    <>
      <title>Measured values · pKdex</title>
      <div className={classes.page}>
        {targets.data === undefined && <PageHead title="Measured values" below={below} />}
        <Loaded
          query={targets}
          what="your targets"
          failure="Failed to load your targets"
          reasonOf={(error) => messageOf(error, 'Please try again.')}
          lines={4}
        >
          {({ protein_names }) =>
            protein_names.length === 0 ? <NoTargets /> : <OfTarget names={protein_names} />
          }
        </Loaded>
      </div>
    </>
  )
}

const below = 'What you measured moves and narrows the numbers of its target. It is yours alone.'

function NoTargets() {
  return (
    <>
      <PageHead title="Measured values" below={below} />
      <p>
        Values belong to a target, and you have none yet. <Link to="/prompt">Upload one</Link>.
      </p>
    </>
  )
}

function OfTarget({ names }: { names: string[] }) {
  const [params, setParams] = useSearchParams()
  const { data } = useQuery(measurementsQuery('', 1))
  const counts = new Map(data?.targets.map(({ name, count }) => [name, count]))
  const asked = params.get('target')
  const target = names.find((name) => name === asked) ?? data?.targets[0]?.name ?? names[0] ?? ''
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1)
  const labelOf = (name: string) => (counts.has(name) ? `${name} (${counts.get(name)})` : name)
  return (
    <>
      <PageHead title="Measured values" below={below}>
        <Select
          label="Target"
          className={classes.target}
          value={target}
          options={names.map((value) => ({ value, label: labelOf(value) }))}
          onChange={(chosen) => setParams({ target: chosen })}
        />
      </PageHead>
      <div className={classes.columns} key={target}>
        <Panel title="Import">
          <ImportForm target={target} />
        </Panel>
        <Comparison target={target} />
        <div className={classes.values}>
          <ValueTable
            target={target}
            page={page}
            hrefOf={(to) => `?${new URLSearchParams({ target, page: String(to) })}`}
          />
        </div>
      </div>
    </>
  )
}
