/** The results of a screen as a table: filters, the choice of rows and columns, and the rows themselves. */
import { Box } from '#web/ui/layout.ts'
import { type Screen, type ScreenRow, SERIES_COMPOUNDS_MAX, usualOrder } from '@pkdex/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { StarButton, useShortlist } from '#web/features/files/shortlist.tsx'
import { useDrawSmiles } from '#web/features/previews/structure.tsx'
import { ColumnChoice } from '#web/features/screens/column-choice.tsx'
import { keepProfile } from '#web/features/screens/kept-profile.ts'
import { ProfileEditor } from '#web/features/screens/profile-editor.tsx'
import { ResultFilters } from '#web/features/screens/result-filters.tsx'
import { filterOf, noFilter, withResultsParams } from '#web/features/screens/results-params.ts'
import {
  type PlaceInTable,
  readFirstRows,
  readPairAt,
  ResultsTable,
} from '#web/features/screens/results-table.tsx'
import {
  isSmartsProblem,
  pageSizeOf,
  type ResultsAsk,
  resultsQuery,
} from '#web/features/screens/screen-queries.ts'
import { keyOfRow } from '#web/features/screens/selection.ts'
import { type Ticked, useTicked } from '#web/features/selection/use-ticked.ts'
import type { Pairs } from '#web/features/screens/table-columns.tsx'
import { ApiError, loadingReason, messageOf } from '#web/lib/api.ts'
import { nounFor } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Select } from '#web/ui/field.tsx'
import { Note } from '#web/ui/note.tsx'
import classes from './screens.module.css'
import { ScreenSelection } from './selection-bar.tsx'
import { useTableLook } from './table-look.ts'

type Props = {
  screen: Screen
  isRunning: boolean
  /** SMILES that give all structures the same orientation, once loaded. */
  sample: string[] | undefined
  onOpen: (row: ScreenRow, steps: Steps) => void
}

/** Where the row is in the table, and how to read another. */
export type Steps = PlaceInTable & { read: (index: number) => Promise<ScreenRow | null> }

const ROWS = [
  { value: 'compound', label: 'Row per compound' },
  { value: 'pair', label: 'Row per pair' },
] as const

const NO_SAMPLE: string[] = []

export function TableView({ screen, isRunning, sample = NO_SAMPLE, onOpen }: Props) {
  const { targets } = screen
  const [, setSearch] = useSearchParams()
  const { params, by, columns } = useTableLook(screen)
  const drawSmiles = useDrawSmiles(sample)
  const change = (next: Parameters<typeof withResultsParams>[1]) =>
    setSearch((now) => withResultsParams(now, next), { replace: true, preventScrollReset: true })
  const filter: typeof change = (next) => {
    if (next.profile) keepProfile(`${next.profile}`)
    const isUnsorted = 'profile' in next && !next.profile && params.sort === 'profile'
    change(isUnsorted ? { ...next, sort: undefined } : next)
  }
  const section = useRef<HTMLElement>(null)
  const client = useQueryClient()
  const ticked = useTicked(keyOfRow)
  const width = by === 'compound' ? targets.length : 1
  const request = { ...params, by: by === 'pair' ? undefined : by }
  const ask = { id: screen.id, isRunning, params: request }
  return (
    <section ref={section} className={`sheet ${classes.results}`} aria-label="Table">
      <ResultFilters
        targets={targets}
        filter={filterOf(params) ?? {}}
        smartsProblem={useSmartsProblem(ask, width)}
        onChange={filter}
      >
        <Count ask={ask} width={width} all={by === 'pair' ? screen.total : screen.compounds} />
        {targets.length > 1 && (
          <Select
            label="Rows of the table"
            isLabelHidden
            value={by}
            options={ROWS}
            onChange={(next) => {
              ticked.clear()
              change({ by: next, column: undefined })
            }}
          />
        )}
        <ProfileEditor profile={params.profile ?? ''} onChange={filter} />
        <ColumnChoice columns={columns.ordered} />
      </ResultFilters>
      <Answered {...{ ask, width }}>
        <ResultsTable
          // Rows of one view do not correspond to rows of another.
          key={by}
          ask={ask}
          columns={columns.shown}
          width={width}
          drawSmiles={drawSmiles}
          selection={ticked.rows}
          onTick={ticked.tick}
          tickAll={<TickAll {...{ ask, width, ticked }} />}
          starCompound={useStarCompound(true)}
          onSort={(sort, order) =>
            change({
              sort: sort.by,
              column: sort.column,
              order: order === usualOrder(sort.by) ? undefined : order,
            })
          }
          onOpen={(row, place) =>
            onOpen(row, {
              ...place,
              read: (index) => readPairAt(client, { ask, width, index }, row),
            })
          }
          onClear={() => {
            // The focused button disappears, so the search gets the focus.
            section.current?.querySelector('input')?.focus()
            change(noFilter)
          }}
        />
      </Answered>
      <ScreenSelection {...{ screen, ticked }} columns={columns.shown} />
    </section>
  )
}

/** As many as fit into one series. */
const TICKED_MAX = SERIES_COMPOUNDS_MAX

/** Ticks what the filters left, or unticks everything. */
function TickAll({ ask, width, ticked }: Omit<CountProps, 'all'> & { ticked: Ticked<Pairs> }) {
  const client = useQueryClient()
  const read = useMutation({
    mutationFn: () => readFirstRows(client, { ask, width }, TICKED_MAX),
    onSuccess: ticked.tickAll,
  })
  const { data } = useQuery(resultsQuery(ask, 1, pageSizeOf(width)))
  const total = Math.min(data?.total ?? 0, TICKED_MAX)
  const isAll = total > 0 && ticked.rows.size >= total
  return (
    <label>
      <input
        type="checkbox"
        aria-label={
          total < TICKED_MAX ? 'Select all' : `Select the first ${TICKED_MAX.toLocaleString('en')}`
        }
        checked={isAll}
        disabled={read.isPending}
        onChange={() => (isAll ? ticked.clear() : read.mutate())}
      />
    </label>
  )
}

/** `isInRow`: arrow keys reach the row, so the star is not a tab stop. */
export function useStarCompound(isInRow: boolean) {
  const shortlist = useShortlist()
  return useCallback(
    (name: string) => <StarButton shortlist={shortlist} name={name} tabIndex={isInRow ? -1 : 0} />,
    [shortlist, isInRow],
  )
}

/** The server's message; null if the substructure is valid. */
function useSmartsProblem(ask: ResultsAsk, width: number): string | null {
  const { error } = useQuery(resultsQuery(ask, 1, pageSizeOf(width)))
  return error && isSmartsProblem(ask.params, error) ? messageOf(error, 'Invalid SMARTS') : null
}

/** Rows, or why there are none: an invalid substructure names the filter to clear, any other error offers Retry. */
function Answered({ ask, width, children }: Omit<CountProps, 'all'> & { children: ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery(resultsQuery(ask, 1, pageSizeOf(width)))
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  if (data !== undefined || error === null || isFetching || isRefused) return children
  return (
    <Box pb="lg">
      <Note
        tone="failure"
        title="Failed to load the rows"
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
        }
      >
        {loadingReason(error)}
      </Note>
    </Box>
  )
}

type CountProps = { ask: ResultsAsk; width: number; all: number }

function Count({ ask, width, all }: CountProps) {
  const query = { ...resultsQuery(ask, 1, pageSizeOf(width)), placeholderData: keepPreviousData }
  const { data, isError } = useQuery(query)
  // The error message replaces the rows.
  if (isError) return <Box className="quiet small" component="output" ml="auto" />
  const noun = nounFor(all, width === 1 ? 'pair' : 'compound')
  const most = all.toLocaleString('en')
  return (
    <Box className="quiet small" component="output" ml="auto">
      {data === undefined
        ? 'Loading rows'
        : data.total === all
          ? `${most} ${noun}`
          : `${data.total.toLocaleString('en')} of ${most} ${noun}`}
    </Box>
  )
}
