/** `/screens/:id`: one screen while it runs and afterwards, as a ranked table, a heat map and charts. */
import { cancelScreen, type Screen, type ScreenRow } from '@pkdex/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { measurementsQuery } from '#web/features/measurements/measurement-queries.ts'
import { UnitChoice } from '#web/features/predictions/unit-choice.tsx'
import { HeatMap } from '#web/features/screens/heat-map.tsx'
import { ResultFilters } from '#web/features/screens/result-filters.tsx'
import {
  filterOf,
  readResultsParams,
  usualOrder,
  withResultsParams,
} from '#web/features/screens/results-params.ts'
import { ResultsTable } from '#web/features/screens/results-table.tsx'
import { screenQuery } from '#web/features/screens/screen-queries.ts'
import type { ScreenGrid } from '#web/features/screens/screen-matrix.ts'
import {
  describeCost,
  ProgressBar,
  statusWord,
  titleOfScreen,
} from '#web/features/screens/screen-words.tsx'
import { useLiveScreen } from '#web/features/screens/use-live-screen.ts'
import { call, messageOf } from '#web/lib/api.ts'
import { formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { ExportButton } from './export-button.tsx'
import { type OpenPair, PairDialog } from './pair-dialog.tsx'
import classes from './screens.module.css'

const ScreenCharts = lazy(async () => ({
  default: (await import('#web/features/screens/screen-charts.tsx')).ScreenCharts,
}))

export function ScreenPage() {
  const { id = '' } = useParams()
  const live = useLiveScreen(id, useRefreshCredits())
  return (
    <div className={classes.page}>
      <Loaded
        query={live.screen}
        what="the screen"
        failure="The screen could not be loaded"
        reasonOf={(error) => messageOf(error, 'The server did not answer as expected.')}
        lines={6}
      >
        {(screen) => (
          <>
            <title>{`${titleOfScreen(screen)} · pKdex`}</title>
            <Head screen={screen} isRunning={live.isRunning} />
            <Views screen={screen} isRunning={live.isRunning} grid={live.grid.data} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function Head({ screen, isRunning }: { screen: Screen; isRunning: boolean }) {
  const { search } = useSearchString()
  return (
    <>
      <PageHead
        above={<Link to="/screens">Screens</Link>}
        title={titleOfScreen(screen)}
        below={`${describeCost(screen)}. ${statusWord(screen.status)}, started ${formatMinute(screen.created_at)}, model ${screen.model_version}`}
      >
        <div className={classes.actions}>
          {isRunning && <CancelButton id={screen.id} />}
          <Button component={Link} variant="default" to={`/screens/${screen.id}/report${search}`}>
            Report
          </Button>
          <Exports id={screen.id} />
        </div>
      </PageHead>
      {isRunning && (
        <div className={classes.running}>
          <ProgressBar screen={screen} />
        </div>
      )}
      <output className="visually-hidden">{isRunning ? '' : statusWord(screen.status)}</output>
      {screen.message !== null && (
        <div className={classes.running}>
          <Note tone={screen.status === 'FAILED' ? 'warning' : 'info'}>{screen.message}</Note>
        </div>
      )}
    </>
  )
}

const ROWS = [
  { value: 'filtered', label: 'Filtered rows' },
  { value: 'all', label: 'All rows' },
] as const

/** Without filters there is nothing to choose. */
function Exports({ id }: { id: string }) {
  const [search] = useSearchParams()
  const filter = filterOf(readResultsParams(search))
  const [rows, setRows] = useState<'filtered' | 'all'>('filtered')
  const asked = rows === 'filtered' ? filter : null
  return (
    <>
      {filter !== null && (
        <Select
          label="Rows of the files"
          isLabelHidden
          value={rows}
          options={ROWS}
          onChange={setRows}
        />
      )}
      <ExportButton id={id} format="CSV" filter={asked} />
      <ExportButton id={id} format="XLSX" filter={asked} />
      <ExportButton id={id} format="SDF" filter={asked} />
    </>
  )
}

function useSearchString() {
  const [params] = useSearchParams()
  return { search: params.size > 0 ? `?${params}` : '' }
}

function CancelButton({ id }: { id: string }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(cancelScreen, { params: { id } }),
    onSuccess: (screen) => client.setQueryData(screenQuery(id).queryKey, screen),
    onSettled: useRefreshCredits(),
  })
  return (
    <>
      {cancel.error && <p role="alert">{messageOf(cancel.error, 'It could not be cancelled.')}</p>}
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel
      </Button>
    </>
  )
}

const VIEWS = [
  { view: 'table', label: 'Table' },
  { view: 'map', label: 'Heat map' },
  { view: 'charts', label: 'Charts' },
] as const

type ViewsProps = { screen: Screen; isRunning: boolean; grid: ScreenGrid | undefined }

function Views({ screen, isRunning, grid }: ViewsProps) {
  const [params] = useSearchParams()
  const [pair, setPair] = useState<OpenPair | null>(null)
  const view = VIEWS.find((each) => each.view === params.get('view'))?.view ?? 'table'
  return (
    <>
      <div className={classes.looks}>
        <nav className={classes.views} aria-label="Ways to look at it">
          {VIEWS.map(({ view: own, label }) => (
            <Link
              key={own}
              replace
              preventScrollReset
              to={{ search: searchOf(params, own) }}
              aria-current={own === view ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        {view !== 'charts' && <UnitChoice />}
      </div>
      {view === 'table' && (
        <TableView {...{ screen, isRunning }} onOpen={(row) => setPair(pairOf(row))} />
      )}
      {view === 'map' && (
        <Waited for={grid}>
          {(there) => (
            <HeatMap grid={there} onOpen={(row, column) => setPair(pairAt(there, row, column))} />
          )}
        </Waited>
      )}
      {view === 'charts' && (
        <Suspense fallback={<Spinner text="Loading the charts" />}>
          <ScreenCharts id={screen.id} isRunning={isRunning} />
        </Suspense>
      )}
      {pair && <PairDialog pair={pair} onClose={() => setPair(null)} />}
    </>
  )
}

function Waited<T>({
  for: data,
  children,
}: {
  for: T | undefined
  children: (data: T) => ReactNode
}) {
  return data === undefined ? <Spinner text="Loading the numbers" /> : children(data)
}

function searchOf(params: URLSearchParams, view: string): string {
  const next = new URLSearchParams(params)
  if (view === 'table') next.delete('view')
  else next.set('view', view)
  return `${next}`
}

function pairOf({ target, chain, compound, predicted_kd }: ScreenRow): OpenPair {
  return { target, chain, compound, hasNumber: predicted_kd !== null }
}

function pairAt(grid: ScreenGrid, row: number, column: number): OpenPair | null {
  const [compound, target] = [grid.compounds[row], grid.targets[column]]
  if (compound === undefined || target === undefined) return null
  const place = row * grid.targets.length + column
  const hasNumber = (grid.flags[place] ?? 0) % 2 === 1
  return { target: target.name, chain: target.chain, compound, hasNumber }
}

type TableViewProps = { screen: Screen; isRunning: boolean; onOpen: (row: ScreenRow) => void }

function TableView({ screen: { id, targets }, isRunning, onOpen }: TableViewProps) {
  const [search, setSearch] = useSearchParams()
  const params = readResultsParams(search)
  const measured = useQuery(measurementsQuery('', 1))
  const isMeasured = new Set(measured.data?.targets.map(({ name }) => name))
  const change = (next: Parameters<typeof withResultsParams>[1]) =>
    setSearch((now) => withResultsParams(now, next), { replace: true, preventScrollReset: true })
  return (
    <section className={`sheet ${classes.results}`} aria-label="Table">
      <ResultFilters targets={targets} params={params} onChange={change} />
      <ResultsTable
        ask={{ id, isRunning, params }}
        hasOwnValues={targets.some(({ name }) => isMeasured.has(name))}
        onSort={(sort, order) =>
          change({ sort, order: order === usualOrder(sort) ? undefined : order })
        }
        onOpen={onOpen}
      />
    </section>
  )
}
