/** Queries about screens: the list, one screen, its predictions as a matrix, its rows by page, and a quote. */
import {
  listScreens,
  quoteScreen,
  readScreen,
  readScreenMatrix,
  readScreenResults,
  type Screen,
  type ScreenRequest,
  type ScreenRow,
} from '@pkdex/contract'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { ApiError, call, callPage } from '#web/lib/api.ts'
import { readDetails, readGrid } from './screen-matrix.ts'
import { hasEnded } from './screen-stream.ts'
import type { ResultsParams } from './results-params.ts'

const LIST_INTERVAL_MS = 2000
export const SCREENS_PAGE_SIZE = 20
const RESULTS_PAGE_SIZE = 100
const [PAGE_COMPOUNDS, PAGE_PAIRS_MAX] = [40, 1000]

/** Pairs per page, if a row has `width` pairs. */
export function pageSizeOf(width: number): number {
  return Math.min(PAGE_PAIRS_MAX, Math.max(RESULTS_PAGE_SIZE, PAGE_COMPOUNDS * width))
}

/** How often the rows of a running screen are reloaded. */
const RESULTS_INTERVAL_MS = 3000

export function screenListQuery(
  page: number,
  tag: string | null,
  kind: 'screen' | 'series' = 'screen',
) {
  return queryOptions({
    queryKey: ['screens', kind, tag, page],
    queryFn: async ({ signal }) => {
      const query = { page, page_size: SCREENS_PAGE_SIZE, kind, ...(tag !== null && { tag }) }
      const { answer, total } = await callPage(listScreens, { query, signal })
      return { screens: answer.screens, total: total ?? answer.screens.length }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.screens.every(hasEnded) === false ? LIST_INTERVAL_MS : false,
  })
}

const FOLLOW_UPS_SHOWN = 20

/** The latest follow-ups of a screen, newest first. */
export function followUpListQuery(id: string) {
  return queryOptions({
    queryKey: ['screens', 'follow-ups', id],
    queryFn: async ({ signal }) => {
      const query = { follow_up_of: id, page_size: FOLLOW_UPS_SHOWN }
      return (await call(listScreens, { query, signal })).screens
    },
    staleTime: 0,
  })
}

/** Its poses are being computed, or wait for the predictions. */
export function isPlacing({ structure_status: status }: Screen): boolean {
  return status === 'QUEUED' || status === 'RUNNING'
}

/** Whether there are poses. */
export function hasPoses({ structure_status: status, structure_done: done }: Screen): boolean {
  return (status === 'DONE' || status === 'FAILED') && (done ?? 0) > 0
}

export function screenQuery(id: string) {
  return queryOptions({
    queryKey: ['screen', id],
    queryFn: ({ signal }) => call(readScreen, { params: { id }, signal }),
    staleTime: 0,
    // The event stream ends with the predictions; poses follow.
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && hasEnded(data) && isPlacing(data) ? LIST_INTERVAL_MS : false,
  })
}

/** Blocks that finish later are added by `useLiveScreen`. */
export function gridQuery(id: string) {
  return queryOptions({
    queryKey: ['screen', id, 'grid'],
    queryFn: async ({ signal }) =>
      readGrid(await call(readScreenMatrix, { params: { id }, signal })),
    structuralSharing: false,
    staleTime: 0,
  })
}

export function detailsQuery(id: string, isRunning: boolean) {
  return queryOptions({
    queryKey: ['screen', id, 'details', isRunning],
    queryFn: async ({ signal }) => {
      const query = { details: 'true' as const }
      return readDetails(await call(readScreenMatrix, { params: { id }, query, signal }))
    },
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchInterval: isRunning ? RESULTS_INTERVAL_MS : false,
  })
}

export type ResultsPage = { rows: ScreenRow[]; total: number }

export type ResultsAsk = { id: string; isRunning: boolean; params: ResultsParams }

/** The rows could not be loaded because the substructure is not valid SMARTS. */
export function isSmartsProblem({ smarts = '' }: ResultsParams, error: Error | null): boolean {
  return smarts !== '' && error instanceof ApiError && error.status === 400
}

/** `page` counts from 1. */
export function resultsQuery(
  { id, isRunning, params }: ResultsAsk,
  page: number,
  pageSize = RESULTS_PAGE_SIZE,
) {
  return queryOptions({
    queryKey: ['screen', id, 'results', params, page, pageSize, isRunning],
    queryFn: async ({ signal }): Promise<ResultsPage> => {
      const query = { ...params, page, page_size: pageSize }
      const { answer, total } = await callPage(readScreenResults, { params: { id }, query, signal })
      return { rows: answer.rows, total: total ?? answer.rows.length }
    },
    refetchInterval: isRunning ? RESULTS_INTERVAL_MS : false,
  })
}

export function quoteQuery(request: ScreenRequest | null) {
  return queryOptions({
    queryKey: ['screen quote', request],
    queryFn:
      request === null ? skipToken : ({ signal }) => call(quoteScreen, { body: request, signal }),
    // The number of existing predictions changes with every prediction.
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
