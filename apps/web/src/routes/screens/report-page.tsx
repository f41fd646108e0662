/** `/screens/:id/report`: top structures and a matrix of compounds and targets, to print or save as PDF. */
import { Box, ColumnGrid } from '#web/ui/layout.ts'
import { describeSort, type Screen } from '@pkdex/contract'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { useDrawOnPaper } from '#web/features/previews/structure.tsx'
import { ReportKey, ReportMatrix, TopStructures } from '#web/features/screens/report-matrix.tsx'
import {
  readResultsParams,
  type ResultsParams,
  withResultsParams,
} from '#web/features/screens/results-params.ts'
import { inRows } from '#web/features/screens/results-table.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { SharedNote } from '#web/features/sharing/shared-note.tsx'
import { resultsQuery, screenQuery } from '#web/features/screens/screen-queries.ts'
import { hasEnded } from '#web/features/screens/screen-stream.ts'
import { statusWord, titleOfScreen } from '#web/features/screens/screen-words.tsx'
import type { Pairs } from '#web/features/screens/table-columns.tsx'
import { titleOf } from '#web/features/screens/screen-matrix.ts'
import { unitTitles, useAffinityUnit } from '#web/lib/affinity-unit.ts'
import { OwnerOnly } from '#web/lib/viewing.tsx'
import { loadingReason } from '#web/lib/api.ts'
import { countOf, formatMinute } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.ts'
import { Checkbox } from '#web/ui/field.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { PageHead } from '#web/ui/panel.tsx'
import classes from './report-page.module.css'

/** Maximum length of a printed report; the downloads contain all compounds. */
const COMPOUNDS_MAX = 300
const PAGES_MAX = 10
const PAGE_PAIRS = 1000
/** More columns do not fit on A4 paper. */
const TARGETS_MAX = 12

export function ReportPage() {
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const screen = useQuery(screenQuery(id))
  return (
    <div className={`page low ${classes.page}`}>
      <Loaded
        query={screen}
        wayOut={<Link to="/screens">Screens</Link>}
        what="the report"
        failure="Failed to load the report"
        reasonOf={loadingReason}
        lines={6}
      >
        {(data) => <Report screen={data} params={readResultsParams(search)} back={`${search}`} />}
      </Loaded>
    </div>
  )
}

type Options = {
  hasStructures: boolean
  hasMatrix: boolean
  hasIntervals: boolean
  hasProperties: boolean
  hasAlerts: boolean
}

type ReportProps = { screen: Screen; params: ResultsParams; back: string }

function Report({ screen, params, back }: ReportProps) {
  const [options, setOptions] = useState<Options>({
    hasStructures: true,
    hasMatrix: true,
    hasProperties: true,
    hasAlerts: true,
    hasIntervals: false,
  })
  const [columns, setColumns] = useState(() => [...screen.targets.keys()].slice(0, TARGETS_MAX))
  const { first, compounds, total } = useCompounds(screen, params)
  const title = titleOfScreen(screen)
  return (
    <>
      <title>{`Report on ${title} · pKdex`}</title>
      <div className={classes.screenOnly}>
        <PageHead
          above={<Link to={`/screens/${screen.id}?${back}`}>Back to the screen</Link>}
          title="Report"
          below={title}
        >
          <OwnerOnly>
            <ShareButton screen={screen} />
          </OwnerOnly>
        </PageHead>
        <SharedNote id={screen.id} />
      </div>
      <ColumnGrid className={classes.split} template="minmax(0, 1fr) 288px" below={1000}>
        <article className={classes.paper} data-scheme="light" aria-label={title}>
          <header>
            <div>
              <Box component="h2" fz="1.375rem">
                {title}
              </Box>
              <p className="quiet small">{describeScreen(screen)}</p>
            </div>
            <Logo />
          </header>
          <Loaded
            query={first}
            what="the predictions"
            failure="Failed to load the predictions"
            reasonOf={loadingReason}
            lines={6}
          >
            {() => <Contents {...{ screen, params, compounds, total, columns, options }} />}
          </Loaded>
        </article>
        <Side {...{ screen, options, setOptions, columns, setColumns }} />
      </ColumnGrid>
    </>
  )
}

const NAMED_TARGETS_MAX = 4

function describeScreen({ targets, created_at, model_version, status }: Screen): string {
  const named = targets.length > 1 && targets.length <= NAMED_TARGETS_MAX
  const names = named ? `${targets.map((_, at) => titleOf({ targets }, at)).join(', ')} · ` : ''
  const ended = status === 'DONE' ? '' : ` · ${statusWord(status)}`
  return `${names}${formatMinute(created_at)} · model ${model_version}${ended}`
}

/** Complete compounds, from as many pages as their pairs need. */
function useCompounds(screen: Screen, params: ResultsParams) {
  const width = screen.targets.length
  const perPage = Math.max(1, Math.floor(PAGE_PAIRS / width))
  const wanted = Math.min(COMPOUNDS_MAX, screen.compounds)
  const count = Math.min(PAGES_MAX, Math.max(1, Math.ceil(wanted / perPage)))
  const ask = {
    id: screen.id,
    isRunning: !hasEnded(screen),
    params: { ...params, by: 'compound' as const },
  }
  const first = useQuery(resultsQuery(ask, 1, PAGE_PAIRS))
  const pages = useQueries({
    queries: Array.from({ length: count }, (_, at) => resultsQuery(ask, at + 1, PAGE_PAIRS)),
  })
  const compounds = pages
    .flatMap(({ data }) => (data ? inRows(data.rows, width) : []))
    .filter((pairs) => pairs !== undefined)
    .slice(0, COMPOUNDS_MAX)
  return { first, compounds, total: first.data?.total ?? 0 }
}

type ContentsProps = {
  screen: Screen
  params: ResultsParams
  compounds: Pairs[]
  total: number
  columns: number[]
  options: Options
}

function Contents({ screen, params, compounds, total, columns, options }: ContentsProps) {
  const unit = useAffinityUnit()
  const { targets } = screen
  const ranking = targets.length === 1 ? 0 : params.column === undefined ? null : params.column - 1
  const drawSmiles = useDrawOnPaper(compounds.map(([{ smiles }]) => smiles))
  if (compounds.length === 0) return <p>No compounds match.</p>
  const shown = countOf(compounds.length, 'compound')
  const value = unitTitles[unit]
  return (
    <>
      {options.hasStructures && (
        <section aria-label="Top structures">
          <h3>{titleOfOrder(params, ranking === null ? null : titleOf({ targets }, ranking))}</h3>
          <TopStructures {...{ compounds, unit, drawSmiles }} column={ranking} />
        </section>
      )}
      {options.hasMatrix && (
        <section aria-label="Compounds and targets">
          <h3>
            {compounds.length < total
              ? `First ${shown} of ${total.toLocaleString('en')}, ${value}`
              : `All ${shown}, ${value}`}
          </h3>
          <ReportMatrix {...{ compounds, targets, columns, unit, ...options }} />
          <ReportKey {...{ compounds, columns, unit }} />
        </section>
      )}
    </>
  )
}

function titleOfOrder({ sort, order }: ResultsParams, target: string | null): string {
  if (sort !== 'affinity') return `First compounds ${describeSort(sort)}`
  return `${order === 'asc' ? 'Weakest' : 'Strongest'} predictions on ${target ?? 'any target'}`
}

type SideProps = Pick<ContentsProps, 'screen' | 'columns' | 'options'> & {
  setOptions: (options: Options) => void
  setColumns: (columns: number[]) => void
}

/** The options of the report, which are not printed. */
function Side({ screen, options, setOptions, columns, setColumns }: SideProps) {
  const [search, setSearch] = useSearchParams()
  const isStarredOnly = search.get('starred') === 'true'
  const box = (label: string, option: keyof Options) => (
    <Checkbox
      isChecked={options[option]}
      onChange={(isOn) => setOptions({ ...options, [option]: isOn })}
    >
      {label}
    </Checkbox>
  )
  return (
    <aside className={`sheet ${classes.side} ${classes.screenOnly}`} aria-label="Options">
      <Box component="h2" fz="md">
        Include
      </Box>
      {box('Top structures', 'hasStructures')}
      {box('Matrix', 'hasMatrix')}
      {box('Properties', 'hasProperties')}
      {box('Alerts', 'hasAlerts')}
      {box('Intervals', 'hasIntervals')}
      <Checkbox
        isChecked={isStarredOnly}
        onChange={(isOn) =>
          setSearch((now) => withResultsParams(now, { starred: isOn ? 'true' : undefined }), {
            replace: true,
          })
        }
      >
        Starred compounds only
      </Checkbox>
      {screen.targets.length > TARGETS_MAX && (
        <TargetChoice targets={screen.targets} {...{ columns, setColumns }} />
      )}
      <p className="quiet small">Prints on A4, landscape.</p>
      <Button fullWidth onClick={() => print()}>
        Print
      </Button>
    </aside>
  )
}

type TargetChoiceProps = Pick<SideProps, 'columns' | 'setColumns'> & Pick<Screen, 'targets'>

function TargetChoice({ targets, columns, setColumns }: TargetChoiceProps) {
  const isFull = columns.length >= TARGETS_MAX
  return (
    <fieldset className={classes.targets}>
      <Box component="legend" fw={500}>{`Targets, up to ${TARGETS_MAX}`}</Box>
      {targets.map((_, at) => (
        <Checkbox
          key={at}
          isChecked={columns.includes(at)}
          isDisabled={isFull && !columns.includes(at)}
          onChange={(isOn) => {
            const others = columns.filter((column) => column !== at)
            setColumns((isOn ? [...others, at] : others).toSorted((a, b) => a - b))
          }}
        >
          {titleOf({ targets }, at)}
        </Checkbox>
      ))}
    </fieldset>
  )
}
