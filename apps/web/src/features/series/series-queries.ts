/** The data of a SAR table: rows of a screen, their decomposition, and predictions for its gaps. */
import {
  type CombinedMeasurement,
  combineMeasurements,
  PREDICTED_SMILES_MAX,
  predictPairs,
  readScreenResults,
  readSeriesTable,
  SERIES_COMPOUNDS_MAX,
  type ScreenRow,
  type ScreenTarget,
  type Theme,
} from '@pkdex/contract'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call, callPage, newOrderKey } from '#web/lib/api.ts'

const PAGE_ROWS = 1000

export type SeriesRows = { rows: ScreenRow[]; total: number }

/** Rows of a screen on one target, up to the maximum of a SAR table. */
export function seriesRowsQuery(screenId: string | null, { name, chain }: ScreenTarget) {
  return queryOptions({
    queryKey: ['series', 'rows', screenId, name, chain],
    queryFn:
      screenId === null
        ? skipToken
        : async ({ signal }): Promise<SeriesRows> => {
            const rows: ScreenRow[] = []
            for (let page = 1; ; page += 1) {
              const query = { target: name, page, page_size: PAGE_ROWS }
              const params = { id: screenId }
              const { answer } = await callPage(readScreenResults, { params, query, signal })
              rows.push(...answer.rows)
              if (answer.rows.length < PAGE_ROWS || rows.length >= 2 * SERIES_COMPOUNDS_MAX) break
            }
            const own = rows.filter((row) => row.target === name && row.chain === chain)
            const usable = own.filter(({ smiles }) => smiles !== '')
            return { rows: usable.slice(0, SERIES_COMPOUNDS_MAX), total: usable.length }
          },
  })
}

export type SeriesChoice = { core?: string; rows?: string; columns?: string; theme: Theme }

export function seriesTableQuery(
  screenId: string,
  rows: ScreenRow[] | undefined,
  choice: SeriesChoice,
) {
  return queryOptions({
    queryKey: ['series', 'table', screenId, rows?.[0]?.target, rows?.[0]?.chain, choice],
    queryFn:
      rows === undefined || rows.length === 0
        ? skipToken
        : ({ signal }) => {
            const compounds = rows.map(({ smiles }) => smiles)
            return call(readSeriesTable, { body: { compounds, ...choice }, signal })
          },
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
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

/** Predicts molecules that are in no list. Returns the screen with the predictions, once it has ended. */
export async function predictGaps(
  smiles: string[],
  { name, chain }: ScreenTarget,
): Promise<string> {
  const body = { smiles: smiles.slice(0, PREDICTED_SMILES_MAX), target: name, chain }
  const headers = { 'Idempotency-Key': newOrderKey() }
  for (;;) {
    // The server responds within a minute; until then the same order is requested again.
    const { id, status } = await call(predictPairs, { body, headers })
    if (id === null) throw new Error('No gap could be predicted.')
    if (status !== 'QUEUED' && status !== 'RUNNING') return id
  }
}
