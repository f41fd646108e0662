/** The data of a SAR table: rows of a screen, their decomposition, and predictions for its gaps. */
import {
  type CombinedMeasurement,
  combineMeasurements,
  listScreens,
  PREDICTED_SMILES_MAX,
  predictPairs,
  readScreenResults,
  readSeriesTable,
  type Screen,
  SERIES_COMPOUNDS_MAX,
  SERIES_COMPOUNDS_MIN,
  type ScreenRow,
  type ScreenTarget,
  type Theme,
} from '@pkdex/contract'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call, callPage, newOrderKey } from '#web/lib/api.ts'

const PAGE_ROWS = 1000

export type SeriesRows = { rows: ScreenRow[]; total: number }

/** Rows of a screen on one target, up to the maximum of a SAR table. */
export function seriesRowsQuery(screenId: string, target: ScreenTarget) {
  return queryOptions({
    queryKey: ['series', 'rows', screenId, target.name, target.chain],
    queryFn: async ({ signal }): Promise<SeriesRows> => {
      const usable = await readRows(screenId, target, signal)
      return { rows: usable.slice(0, SERIES_COMPOUNDS_MAX), total: usable.length }
    },
  })
}

async function readRows(id: string, target: ScreenTarget, signal: AbortSignal) {
  const { name, chain } = target
  const rows: ScreenRow[] = []
  for (let page = 1; ; page += 1) {
    const query = { target: name, page, page_size: PAGE_ROWS }
    const { answer } = await callPage(readScreenResults, { params: { id }, query, signal })
    rows.push(...answer.rows)
    if (answer.rows.length < PAGE_ROWS || rows.length >= 2 * SERIES_COMPOUNDS_MAX) break
  }
  const own = rows.filter((row) => row.target === name && row.chain === chain)
  return own.filter(({ smiles }) => smiles !== '')
}

const FOLLOW_UPS_PAGE = 200
const POLL_INTERVAL_MS = 3000

/** Rows of all follow-ups of a screen on one target: gaps and new molecules that were predicted for its series. */
export function followUpsQuery(screenId: string, target: ScreenTarget) {
  return queryOptions({
    queryKey: ['series', 'follow-ups', screenId, target.name, target.chain],
    queryFn: async ({ signal }) => {
      const all = await listFollowUps(screenId, signal)
      const own = all.filter(({ targets: [one] }) => {
        return one?.name === target.name && one.chain === target.chain
      })
      const rows = await Promise.all(own.map(({ id }) => readRows(id, target, signal)))
      return { rows: rows.flat(), isRunning: own.some(isRunning) }
    },
    refetchInterval: ({ state: { data } }) => (data?.isRunning === true ? POLL_INTERVAL_MS : false),
  })
}

function isRunning({ status }: Screen): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

async function listFollowUps(screenId: string, signal: AbortSignal): Promise<Screen[]> {
  const found: Screen[] = []
  for (let page = 1; ; page += 1) {
    const query = { follow_up_of: screenId, page, page_size: FOLLOW_UPS_PAGE }
    const { screens } = await call(listScreens, { query, signal })
    found.push(...screens)
    if (screens.length < FOLLOW_UPS_PAGE) return found
  }
}

export type SeriesChoice = {
  core?: string
  rows?: string
  columns?: string
  theme: Theme
  /** The screen has several targets, so that its compounds may be of several series. */
  isOfMany?: boolean
}

export function seriesTableQuery(
  screenId: string,
  rows: ScreenRow[] | undefined,
  { isOfMany = false, ...choice }: SeriesChoice,
) {
  const [first] = rows ?? []
  const numbers = rows?.map(({ row }) => row)
  return queryOptions({
    queryKey: ['series', 'table', screenId, first?.target, first?.chain, numbers, choice],
    queryFn:
      rows === undefined || rows.length === 0
        ? skipToken
        : ({ signal }) => {
            const compounds = rows.map(({ smiles }) => smiles)
            const own = isOfMany ? { own: strongestIn(rows) } : {}
            return call(readSeriesTable, { body: { compounds, ...own, ...choice }, signal })
          },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** A quarter of the compounds, or three: most are of the series that was made for this target. */
function strongestIn(rows: ScreenRow[]): number[] {
  const valued = [...rows.keys()].filter((at) => rows[at]?.best_kd != null)
  const numberAt = (at: number) => rows[at]?.best_kd ?? 0
  const count = Math.max(SERIES_COMPOUNDS_MIN, Math.round(valued.length / 4))
  return valued.toSorted((a, b) => numberAt(b) - numberAt(a)).slice(0, count)
}

export type MeasuredValue = Pick<CombinedMeasurement, 'pk' | 'bound' | 'count'>
/** By each name of a compound, and by its standard SMILES. */
export type MeasuredValues = ReadonlyMap<string, MeasuredValue>

/** The user's own values on a target, replicates combined as predictions use them. */
export function measuredQuery(target: string) {
  return queryOptions({
    queryKey: ['measurements', 'series', target],
    queryFn: async ({ signal }): Promise<MeasuredValues> => {
      const { compounds } = await call(combineMeasurements, { query: { target }, signal })
      return new Map(
        compounds.flatMap(({ names, smiles, ...value }) =>
          [smiles, ...names].map((name) => [name, value] as const),
        ),
      )
    },
  })
}

type FollowUp = { screenId: string; smiles: string[]; target: ScreenTarget }

/** Predicts molecules that are in no list, as a follow-up of a screen; ends with them. */
export async function predictFollowUp({ screenId, smiles, target }: FollowUp): Promise<void> {
  const { name, chain } = target
  const some = smiles.slice(0, PREDICTED_SMILES_MAX)
  const body = { smiles: some, target: name, chain, screen: screenId }
  const headers = { 'Idempotency-Key': newOrderKey() }
  for (;;) {
    // The server responds within a minute; until then the same order is requested again.
    const { id, status } = await call(predictPairs, { body, headers })
    if (id === null) throw new Error('No gap could be predicted.')
    if (status !== 'QUEUED' && status !== 'RUNNING') return
  }
}
