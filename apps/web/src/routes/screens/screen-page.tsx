/** `/screens/:id`: one screen, running or finished, as a ranked table, a heat map and charts. */
import { Box, Flex, Stack } from '#web/ui/layout.ts'
import { cancelScreen, type Screen, type ScreenRow } from '@pkdex/contract'
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import type { Place } from '#web/features/comments/comment-queries.ts'
import { CommentsButton } from '#web/features/comments/comments-button.tsx'
import { useRefreshCredits } from '#web/features/credits/credits-counter.tsx'
import { useNewsOf } from '#web/features/credits/news.ts'
import { UnitChoice } from '#web/features/predictions/unit-choice.tsx'
import { StructureSwitch, useDrawSmiles } from '#web/features/previews/structure.tsx'
import { filterOf, readResultsParams } from '#web/features/screens/results-params.ts'
import {
  followUpListQuery,
  hasPoses,
  isPlacing,
  resultsQuery,
  screenQuery,
} from '#web/features/screens/screen-queries.ts'
import type { ScreenGrid } from '#web/features/screens/screen-matrix.ts'
import {
  describeCost,
  PoseProgress,
  ProgressBar,
  seriesOf,
  statusWord,
  titleOfScreen,
} from '#web/features/screens/screen-words.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { SharedNote } from '#web/features/sharing/shared-note.tsx'
import { ScreenMenu } from '#web/features/screens/screen-menu.tsx'
import { useLiveScreen } from '#web/features/screens/use-live-screen.ts'
import { call, loadingReason, messageOf } from '#web/lib/api.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Note } from '#web/ui/note.tsx'
import { TagLinks } from '#web/ui/tags.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { ViewLinks } from '#web/ui/view-links.tsx'
import { RankingLines } from '#web/features/measurements/ranking-lines.tsx'
import { ExportButton, exportFiles, PosesButton, ShownTableButton } from './export-button.tsx'
import { MapView } from './map-view.tsx'
import { type OpenPair, PairDialog } from './pair-dialog.tsx'
import classes from './screens.module.css'
import { type Steps, TableView } from './table-view.tsx'

const ScreenCharts = lazy(async () => ({
  default: (await import('#web/features/screens/screen-charts.tsx')).ScreenCharts,
}))

export function ScreenPage() {
  const { id = '' } = useParams()
  const live = useLiveScreen(id, useRefreshCredits())
  return (
    <div className="page low">
      <Loaded
        query={live.screen}
        wayOut={<Link to="/screens">Screens</Link>}
        what="the screen"
        failure="Failed to load the screen"
        reasonOf={loadingReason}
        lines={6}
      >
        {(screen) => (
          <>
            <title>{`${titleOfScreen(screen)} · pKdex`}</title>
            <Contents screen={screen} isRunning={live.isRunning} grid={live.grid} />
          </>
        )}
      </Loaded>
    </div>
  )
}

function Contents(props: Omit<ViewsProps, 'dialog'>) {
  const { screen, isRunning } = props
  const dialog = usePairDialog()
  const client = useQueryClient()
  const openPlace = async ({ row, column }: Place) => {
    const page = (row - 1) * screen.targets.length + column
    const ask = { id: screen.id, isRunning, params: { sort: 'input' as const } }
    const { rows } = await client.fetchQuery(resultsQuery(ask, page, 1))
    if (rows[0]) dialog.open(pairOf(screen, rows[0]))
  }
  return (
    <>
      <Head {...{ screen, isRunning }} onOpenPlace={(place) => void openPlace(place)} />
      <Views {...props} dialog={dialog} />
    </>
  )
}

type HeadProps = { screen: Screen; isRunning: boolean; onOpenPlace: (place: Place) => void }

function Head({ screen, isRunning, onOpenPlace }: HeadProps) {
  const { news, see } = useNewsOf(screen.id)
  const isBusy = isRunning || isPlacing(screen)
  return (
    <>
      <PageHead
        above={<Link to="/screens">Screens</Link>}
        title={titleOfScreen(screen)}
        below={`${describeCost(screen)}. ${statusWord(screen.status)}${isPlacing(screen) && !isRunning ? ', placing compounds' : ''}, started ${formatMinute(screen.created_at)}, model ${screen.model_version}`}
      >
        <Flex wrap="wrap" gap="xs" align="center">
          <Button component={Link} to={seriesOf(screen)}>
            Analyse series
          </Button>
          <ExportMenu screen={screen} />
          <CommentsButton {...{ screen, onOpenPlace }} unseen={news?.comments ?? 0} onSeen={see} />
          <OwnerOnly>
            {isBusy && <CancelButton id={screen.id} what={isRunning ? 'screen' : 'poses'} />}
            <ShareButton screen={screen} />
            <ScreenMenu screen={screen} canDelete={!isBusy} />
          </OwnerOnly>
        </Flex>
      </PageHead>
      <SharedNote id={screen.id} />
      {screen.note !== '' && (
        <Box component="p" mb="lg">
          {screen.note}
        </Box>
      )}
      <TagLinks tags={screen.tags} list="/screens" />
      {isRunning && (
        <Box mb="lg">
          <ProgressBar screen={screen} />
        </Box>
      )}
      <PoseState screen={screen} isRunning={isRunning} />
      <FollowUps id={screen.id} />
      <RankingLines targets={screen.targets.map(({ name }) => name)} />
      <output className="visually-hidden">{isRunning ? '' : statusWord(screen.status)}</output>
      {screen.message !== null && (
        <Box mb="lg">
          <Note tone={screen.status === 'FAILED' ? 'warning' : 'info'}>{screen.message}</Note>
        </Box>
      )}
    </>
  )
}

function ExportMenu({ screen }: { screen: Screen }) {
  const { search } = useSearchString()
  return (
    <Popover label="Export">
      <Stack gap="xs">
        <Button component={Link} variant="default" to={`/screens/${screen.id}/report${search}`}>
          Report
        </Button>
        {screen.shared_by?.exports !== false && (
          <>
            <ShownTableButton screen={screen} />
            <Exports screen={screen} />
            {hasPoses(screen) && <PosesButton screen={screen} />}
          </>
        )}
      </Stack>
    </Popover>
  )
}

/** What was predicted later for its series. */
function FollowUps({ id }: { id: string }) {
  const followUps = useQuery(followUpListQuery(id)).data ?? []
  if (followUps.length === 0) return null
  return (
    <Box component="p" className="small" mb="lg">
      {'Predicted for its series: '}
      {followUps.map((followUp, at) => (
        <Fragment key={followUp.id}>
          {at > 0 && ', '}
          <Link to={`/screens/${followUp.id}`}>{titleOfScreen(followUp)}</Link>
        </Fragment>
      ))}
    </Box>
  )
}

/** The progress of the poses, or why some are missing. */
function PoseState({ screen, isRunning }: { screen: Screen; isRunning: boolean }) {
  if (isPlacing(screen)) {
    return isRunning ? null : (
      <Box mb="lg">
        <PoseProgress screen={screen} />
      </Box>
    )
  }
  if (screen.structure_message === null) return null
  return (
    <Box mb="lg">
      <Note tone="info" title="Poses">
        {screen.structure_message}
      </Note>
    </Box>
  )
}

const ROWS = [
  { value: 'filtered', label: 'Filtered rows' },
  { value: 'all', label: 'All rows' },
] as const

/** Without filters there are only all rows to download. */
function Exports({ screen }: { screen: Screen }) {
  const [search] = useSearchParams()
  const filter = filterOf(readResultsParams(search))
  const [rows, setRows] = useState<'filtered' | 'all'>('filtered')
  const exported = rows === 'filtered' ? filter : null
  return (
    <>
      {filter !== null && (
        <Select
          label="Rows to download"
          isLabelHidden
          value={rows}
          options={ROWS}
          onChange={setRows}
        />
      )}
      {exportFiles.map((file) => (
        <ExportButton key={file.label} screen={screen} file={file} filter={exported} />
      ))}
    </>
  )
}

function useSearchString() {
  const [params] = useSearchParams()
  return { search: params.size > 0 ? `?${params}` : '' }
}

/** Once the predictions are there, only the poses can be cancelled. */
function CancelButton({ id, what }: { id: string; what: 'screen' | 'poses' }) {
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call(cancelScreen, { params: { id } }),
    onSuccess: (screen) => client.setQueryData(screenQuery(id).queryKey, screen),
    onSettled: useRefreshCredits(),
  })
  return (
    <>
      {cancel.error && (
        <p role="alert">{messageOf(cancel.error, 'The screen could not be cancelled.')}</p>
      )}
      <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
        {what === 'poses' ? 'Cancel poses' : 'Cancel'}
      </Button>
    </>
  )
}

const VIEWS = [
  { view: 'table', label: 'Table' },
  { view: 'map', label: 'Heat map' },
  { view: 'charts', label: 'Charts' },
] as const

type ViewsProps = {
  screen: Screen
  isRunning: boolean
  grid: UseQueryResult<ScreenGrid>
  dialog: ReturnType<typeof usePairDialog>
}

function Views({ screen, isRunning, grid, dialog }: ViewsProps) {
  const [params] = useSearchParams()
  const view = VIEWS.find((each) => each.view === params.get('view'))?.view ?? 'table'
  return (
    <>
      <div className={classes.looks}>
        <ViewLinks
          link={Link}
          label="Views"
          views={VIEWS}
          shown={view}
          searchOf={(next) => searchOf(params, next)}
        />
        <Flex wrap="wrap" gap="xs" align="center">
          <StructureSwitch />
          {view !== 'charts' && <UnitChoice />}
        </Flex>
      </div>
      {view === 'table' && (
        <TableView
          {...{ screen, isRunning }}
          sample={grid.data?.sample}
          onOpen={(row, steps) => dialog.open(pairOf(screen, row), steps)}
        />
      )}
      {view === 'map' && (
        <Waited for={grid}>
          {(there) => (
            <MapView
              {...{ screen, isRunning }}
              grid={there}
              onOpen={(one) => one && dialog.open(one)}
            />
          )}
        </Waited>
      )}
      {view === 'charts' && (
        <Suspense fallback={<Spinner text="Loading the charts" />}>
          <Waited for={grid}>
            {({ sample }) => <ChartsView {...{ screen, isRunning, sample }} />}
          </Waited>
        </Suspense>
      )}
      {dialog.opened && (
        <PairDialog
          screen={screen}
          pair={dialog.opened.pair}
          steps={dialog.opened.steps}
          onStep={(row, steps) => dialog.step(pairOf(screen, row), steps)}
          onClose={dialog.close}
        />
      )}
    </>
  )
}

type Opened = { pair: OpenPair; steps: Steps | null }

/** An open pair is a step of the browser's history: Back closes it instead of leaving the screen. */
function usePairDialog() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened | null>(null)
  const show = (pair: OpenPair, steps: Steps | null, { replace }: { replace: boolean }) => {
    setOpened({ pair, steps })
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('pair', `${pair.row}-${pair.column}`)
        return next
      },
      { replace, preventScrollReset: true },
    )
  }
  return {
    opened: params.has('pair') ? opened : null,
    open: (pair: OpenPair, steps: Steps | null = null) => show(pair, steps, { replace: false }),
    step: (pair: OpenPair, steps: Steps) => show(pair, steps, { replace: true }),
    close: () => void navigate(-1),
  }
}

function Waited<T>({
  for: { data, error, isFetching, refetch },
  children,
}: {
  for: UseQueryResult<T>
  children: (data: T) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return <Spinner text="Loading predictions" />
  return (
    <Note
      tone="failure"
      title="Failed to load the predictions"
      action={<Button onClick={() => void refetch()}>Retry</Button>}
    >
      {loadingReason(error)}
    </Note>
  )
}

function searchOf(params: URLSearchParams, view: string): string {
  const next = new URLSearchParams(params)
  if (view === 'table') next.delete('view')
  else next.set('view', view)
  return `${next}`
}

function pairOf({ id, targets }: Screen, found: ScreenRow): OpenPair {
  const { row, target, chain, compound, smiles, best_kd: pkd, reason } = found
  const at = targets.findIndex((one) => one.name === target && one.chain === chain)
  const place = { screen: id, row, column: at + 1, target, chain, compound, smiles, pkd, reason }
  return { ...place, whyNoPose: found.structure_reason }
}

type ChartsViewProps = Omit<ViewsProps, 'grid' | 'dialog'> & { sample: string[] }

function ChartsView({ screen: { id }, isRunning, sample }: ChartsViewProps) {
  return <ScreenCharts {...{ id, isRunning }} drawSmiles={useDrawSmiles(sample)} />
}
