/** `/measurements`: imports a user's measured values on a target and compares them with predictions. */
import { ColumnGrid } from '#web/ui/layout.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearchParams } from 'react-router'
import { targetListQuery } from '#web/features/files/file-lists.ts'
import { StarButton, useShortlist } from '#web/features/files/shortlist.tsx'
import { Comparison } from '#web/features/measurements/comparison.tsx'
import { ImportForm } from '#web/features/measurements/import-form.tsx'
import { measurementsQuery } from '#web/features/measurements/measurement-queries.ts'
import { ValueTable } from '#web/features/measurements/value-table.tsx'
import { StructureSwitch, useDrawSmiles } from '#web/features/previews/structure.tsx'
import { countOf } from '#web/lib/format.ts'
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
      <div className="page">
        {targets.data === undefined && <PageHead title="Measured values" below={below} />}
        <Loaded
          query={targets}
          what="your targets"
          failure="Failed to load your targets"
          reasonOf={(error) => messageOf(error, 'Try again.')}
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

const below = 'They refine predictions on their target. Only you see them.'

function NoTargets() {
  return (
    <>
      <PageHead title="Measured values" below={below} />
      <p>
        You need a target first. <Link to="/prompt">Upload one</Link>.
      </p>
    </>
  )
}

/** Loaded only when a table has to be parsed. */
const loadReader = () => import('#web/features/files/table-source.ts')

/** Choosing another target keeps what the form was given: a file, its columns, type and unit. */
function OfTarget({ names }: { names: string[] }) {
  const [params, setParams] = useSearchParams()
  const table = useGivenTable()
  const counted = useQuery(measurementsQuery('', 1))
  const counts = new Map(counted.data?.targets.map(({ name, count }) => [name, count]))
  const target = chosenOf(names, params.get('target'))
  const labelOf = (name: string) =>
    counts.has(name) ? `${name}, ${countOf(counts.get(name) ?? 0, 'value')}` : name
  const unchosen = target === null ? [{ value: '', label: 'Choose a target' }] : []
  return (
    <>
      <PageHead title="Measured values" below={below}>
        <StructureSwitch />
      </PageHead>
      {!counted.isPending && (
        <ColumnGrid template="minmax(0, 1fr) minmax(0, 1fr)" below={860}>
          <Panel title="Import">
            <Select
              label="Target"
              className={classes.target}
              value={target ?? ''}
              options={[...unchosen, ...names.map((value) => ({ value, label: labelOf(value) }))]}
              onChange={(chosen) => setParams(chosen === '' ? {} : { target: chosen })}
            />
            <ImportForm target={target} loadReader={loadReader} table={table} />
          </Panel>
          {target !== null && (
            <Stored
              key={target}
              target={target}
              page={Math.max(1, Math.trunc(Number(params.get('page'))) || 1)}
              hasValues={(counts.get(target) ?? 0) > 0}
            />
          )}
        </ColumnGrid>
      )}
    </>
  )
}

/** A table whose compounds were just uploaded. */
function useGivenTable(): File | undefined {
  const { state } = useLocation()
  const table: unknown = (state as { table?: unknown } | null)?.table
  return table instanceof File ? table : undefined
}

/** Null until the user has chosen: values must not be stored on a protein that the user did not choose. */
function chosenOf(names: string[], wanted: string | null): string | null {
  const [only, ...others] = names
  return names.find((name) => name === wanted) ?? (others.length === 0 ? (only ?? null) : null)
}

type StoredProps = { target: string; page: number; hasValues: boolean }

function Stored({ target, page, hasValues }: StoredProps) {
  const shortlist = useShortlist()
  return (
    <>
      <Comparison target={target} useDrawSmiles={useDrawSmiles} hasValues={hasValues} />
      <div className={classes.values}>
        <ValueTable
          target={target}
          page={page}
          useDrawSmiles={useDrawSmiles}
          starCompound={(name) => <StarButton shortlist={shortlist} name={name} />}
          hrefOf={(to) => `?${new URLSearchParams({ target, page: String(to) })}`}
        />
      </div>
    </>
  )
}
