/** `/screens/:id/series`: the compounds of a screen on one target as a SAR table, with its gaps. */
import { Box } from '#web/ui/layout.ts'
import type { Screen, ScreenRow } from '@pkdex/contract'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { useDrawSeries } from '#web/features/previews/structure.tsx'
import { screenQuery } from '#web/features/screens/screen-queries.ts'
import { seriesOf, titleOfScreen } from '#web/features/screens/screen-words.tsx'
import { listsQuery } from '#web/features/series/make-list.ts'
import {
  measuredQuery,
  type SeriesRows,
  seriesRowsQuery,
} from '#web/features/series/series-queries.ts'
import { DrawingContext } from '#web/features/series/series-side.tsx'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { TagLinks } from '#web/ui/tags.tsx'
import { Note } from '#web/ui/note.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import { ViewLinks } from '#web/ui/view-links.tsx'
import { RankingLines } from '#web/features/measurements/ranking-lines.tsx'
import { CommentsButton } from '#web/features/comments/comments-button.tsx'
import { useNewsOf } from '#web/features/credits/news.ts'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { SharedNote } from '#web/features/sharing/shared-note.tsx'
import { ScreenMenu } from '#web/features/screens/screen-menu.tsx'
import classes from './series-page.module.css'
import { ClustersTab } from './clusters-tab.tsx'
import { NextTab } from './next-tab.tsx'
import { PairsTab } from './pairs-tab.tsx'
import { ProductsTab } from './products-tab.tsx'
import { SarTab } from './sar-tab.tsx'

const reasonOf = (error: unknown) => messageOf(error, 'The server is not responding.')

export function SeriesPage() {
  const { id = '' } = useParams()
  const screen = useQuery(screenQuery(id))
  return (
    <div className="page low">
      <Loaded
        query={screen}
        wayOut={<Link to="/screens">Screens</Link>}
        what="the screen"
        failure="Failed to load the screen"
        reasonOf={reasonOf}
        lines={6}
      >
        {(there) => (
          <>
            <title>{`Series · ${titleOfScreen(there)} · pKdex`}</title>
            <Series screen={there} />
          </>
        )}
      </Loaded>
    </div>
  )
}

/** The URL stores the view, so that a link shows the same table. */
function useChoice(screen: Screen) {
  const [search, setSearch] = useSearchParams()
  const place = Number(search.get('target') ?? 0)
  const target = screen.targets[place] ?? screen.targets[0] ?? { name: '', chain: '' }
  const change = (changes: Record<string, string | null>) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const chosen = Object.fromEntries(
    ['core', 'rows', 'columns'].flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const view = viewsOf(search).find((one) => one.view === search.get('view'))?.view ?? 'table'
  const read = (name: string) => search.get(name)
  const [from, to] = [read('from'), read('to')]
  const applied = from === null || to === null ? null : { from, to }
  const others = { goal: read('goal'), applied }
  const clusters = { similarity: read('similarity'), pick: read('pick') }
  return {
    place,
    target,
    chosen,
    ...others,
    ...clusters,
    compounds: read('compounds'),
    view,
    change,
  }
}

/** The rows that were ticked in the screen, by their numbers; all without a choice. */
function useChosenRows(chosen: string | null) {
  return useCallback(
    (read: SeriesRows): SeriesRows => {
      if (chosen === null) return read
      const numbers = new Set(chosen.split('-').map(Number))
      return { ...read, rows: read.rows.filter(({ row }) => numbers.has(row)) }
    },
    [chosen],
  )
}

const VIEWS = [
  { view: 'table', label: 'SAR table' },
  { view: 'pairs', label: 'Matched pairs' },
  { view: 'next', label: 'What to make next' },
  { view: 'products', label: 'Enumerate' },
  { view: 'clusters', label: 'Clusters' },
] as const

/** Suggestions come from the whole screen. */
function viewsOf(search: URLSearchParams) {
  return search.has('compounds') ? VIEWS.filter(({ view }) => view !== 'next') : VIEWS
}

function Series({ screen }: { screen: Screen }) {
  const choice = useChoice(screen)
  const { news, see } = useNewsOf(screen.id)
  const { place, target, view, change } = choice
  const rows = useQuery({
    ...seriesRowsQuery(screen.id, target),
    select: useChosenRows(choice.compounds),
  })
  const molecules = useMemo(() => rows.data?.rows.map(({ smiles }) => smiles) ?? [], [rows.data])
  return (
    <DrawingContext value={useDrawSeries(molecules)}>
      <PageHead
        above={<Link to="/series">Series</Link>}
        title={titleOfScreen(screen)}
        below={
          rows.data &&
          (choice.compounds === null ? (
            wordRows(rows.data)
          ) : (
            <>
              {`${rows.data.rows.length} of ${rows.data.total} compounds. `}
              <Link to={seriesOf(screen)}>Show all</Link>
            </>
          ))
        }
      >
        {screen.targets.length > 1 && (
          <Select
            label="Target"
            value={String(place)}
            options={screen.targets.map(({ name, chain }, at) => ({
              value: String(at),
              label: `${name}, chain ${chain}`,
            }))}
            onChange={(value) => change({ target: value, goal: null })}
          />
        )}
        <Button component={Link} variant="default" to={`/screens/${screen.id}`}>
          Screen
        </Button>
        <CommentsButton screen={screen} unseen={news?.comments ?? 0} onSeen={see} />
        <OwnerOnly>
          <ShareButton screen={screen} />
          <ScreenMenu screen={screen} canDelete={false} />
        </OwnerOnly>
      </PageHead>
      <SharedNote id={screen.id} />
      <TagLinks tags={screen.tags} list="/series" />
      <RankingLines targets={[target.name]} />
      <Views view={view} />
      <Missing {...{ rows, target, view }} />
      <View {...{ screen, choice }} rows={rows.data?.rows} />
    </DrawingContext>
  )
}

const inSentence = new Intl.ListFormat('en-GB')

type MissingProps = { rows: UseQueryResult<SeriesRows> } & Pick<Choice, 'target' | 'view'>

/** Data of a view that failed to load: without it, the view would be empty or wrong. */
function Missing({ rows, target: { name }, view }: MissingProps) {
  const measured = useQuery({ ...measuredQuery(name), enabled: view !== 'next' })
  const hasLists = view === 'table' || view === 'next' || view === 'clusters'
  const lists = useQuery({ ...listsQuery(name), enabled: hasLists })
  const parts = [
    { query: rows, what: 'the compounds' },
    { query: measured, what: 'your measured values' },
    { query: lists, what: 'the make list' },
  ].filter(({ query: { data, error } }) => data === undefined && error !== null)
  const [first] = parts
  if (first === undefined) return null
  return (
    <Box mb="md">
      <Note
        tone="failure"
        title={`Failed to load ${inSentence.format(parts.map(({ what }) => what))}`}
        action={
          <Button
            variant="default"
            loading={parts.some(({ query }) => query.isFetching)}
            onClick={() => parts.forEach(({ query }) => void query.refetch())}
          >
            Retry
          </Button>
        }
      >
        {reasonOf(first.query.error)}
      </Note>
    </Box>
  )
}

function View({
  screen,
  choice,
  rows,
}: {
  screen: Screen
  choice: Choice
  rows: ScreenRow[] | undefined
}) {
  const { target, view, chosen, goal, similarity, pick, change } = choice
  const key = `${target.name} ${target.chain}`
  switch (view) {
    case 'table':
      return <SarTab {...{ screen, target, chosen, rows, change }} />
    case 'pairs':
      return <PairsTab {...{ screen, target, rows, change }} />
    case 'next':
      return <NextTab key={key} {...{ screen, target, goal, rows, change }} />
    case 'products':
      return (
        <ProductsTab
          key={`${key} ${choice.applied?.from} ${choice.applied?.to}`}
          {...{ screen, target, rows }}
          core={chosen['core']}
          applied={choice.applied}
          onPredicted={() => change({ view: 'next' })}
        />
      )
    case 'clusters':
      return <ClustersTab {...{ screen, target, rows, similarity, pick, change }} />
  }
}

function Views({ view: shown }: { view: Choice['view'] }) {
  const [search] = useSearchParams()
  const searchOf = (view: Choice['view']) => {
    const next = new URLSearchParams(search)
    next.set('view', view)
    return next.toString()
  }
  return (
    <div className={classes.views}>
      <ViewLinks
        link={Link}
        label="Views of the series"
        views={viewsOf(search)}
        {...{ shown, searchOf }}
      />
    </div>
  )
}

function wordRows({ rows, total }: { rows: unknown[]; total: number }): string {
  const count = `${rows.length.toLocaleString('en')} compounds`
  return total > rows.length ? `The first ${count} of ${total.toLocaleString('en')}` : count
}

type Choice = ReturnType<typeof useChoice>
