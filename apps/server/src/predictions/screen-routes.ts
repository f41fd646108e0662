/** The endpoints that quote, start, watch, read and cancel screens. */
import { Readable } from 'node:stream'
import * as calls from '@pkdex/contract'
import type { FastifyReply } from 'fastify'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { readStarredNames } from '#server/files/service.ts'
import { route } from '#server/auth/guarded-routes.ts'
import type { OwnValues } from '#server/measurements/service.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import { AppError } from '#server/platform/errors.ts'
import { readIdempotencyKey } from '#server/platform/http/idempotency.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { addFollowUps } from './follow-ups.ts'
import { eventRoutes } from './event-routes.ts'
import { type AddOwnNumbers, openOwnNumbers } from './own-numbers.ts'
import { writeKeptPoses } from './kept-poses.ts'
import { matchPairs, needsDetails, needsRows } from './match-pairs.ts'
import { cutPages, fillRows, readCells, readTable, rowColumnsWithOwn, toRow } from './results.ts'
import { type FillDetails, openDetails } from './row-details.ts'
import { scoreTable } from './score-table.ts'
import { writers } from './screen-exports.ts'
import type { ScreenTable } from './screen-table.ts'
import { toMatrix } from './matrix.ts'
import { type NarrowTable, widenTable } from './own-columns.ts'
import { type PairsDependencies, predictPairs, quotePairs } from './predict-pairs.ts'
import { findScreen, quoteScreen, type ScreenOrderDependencies, startScreen } from './order.ts'
import { orderPairs } from './order-pairs.ts'
import { columnsOf } from './structure-numbers.ts'
import type { TableReaders } from './table-readers.ts'
import { openWantedRows } from './wanted-rows.ts'
import { SDF_TYPE } from './write-sdf.ts'

export type ScreenCalls = ScreenOrderDependencies & {
  parsingWorkers: Pick<ParsingWorkers, 'matchSubstructure' | 'writeMolblocks'>
  ownValues: OwnValues
  tableReaders: TableReaders
}

export function screenRoutes(dependencies: ScreenCalls): Feature {
  const { store } = dependencies
  const find = (userId: string, id: string) => findScreen(dependencies, userId, id)
  const readMatches = openMatches(dependencies)
  const bindResults = resultRoutes(dependencies, readMatches)
  const bindDownloads = downloadRoutes(dependencies, readMatches)
  const bindEvents = eventRoutes(dependencies)
  return (app) => {
    bindResults(app)
    bindDownloads(app)
    bindEvents(app)
    route(app, calls.quoteScreen, ({ userId, body }) => quoteScreen(dependencies, userId, body))
    route(app, calls.startScreen, ({ userId, body, request }) => {
      const idempotencyKey = readIdempotencyKey(request)
      return startScreen(dependencies, {
        userId,
        request: body,
        idempotencyKey,
        reqId: request.id,
      })
    })
    route(app, calls.listScreens, async ({ userId, query, reply }) => {
      const { total, screens } = await store.list(userId, query)
      void reply.header(calls.TOTAL_COUNT_HEADER, total)
      return { screens }
    })
    route(app, calls.readScreen, ({ userId, param }) => find(userId, param('id')))
    route(app, calls.renameScreen, async ({ userId, param, body }) => {
      const { id } = await find(userId, param('id'))
      await store.rename(userId, id, body.name)
      return find(userId, id)
    })
    route(app, calls.cancelScreen, async ({ userId, param, query }) => {
      const { id } = await find(userId, param('id'))
      await store.cancel(userId, id)
      const ended = await find(userId, id)
      if (query.forever !== 'true') return ended
      if (await store.remove(userId, id)) return ended
      throw new AppError(
        'conflict',
        'Some of your running predictions share pairs with this screen. Delete it when they have finished.',
      )
    })
  }
}

export function pairsRoutes(dependencies: PairsDependencies): Feature {
  return (app) => {
    route(app, calls.quotePairs, ({ userId, body, gone }) =>
      quotePairs(dependencies, { userId, request: body, gone }),
    )
    route(app, calls.predictPairs, ({ userId, body, request, gone }) => {
      const idempotencyKey = readIdempotencyKey(request)
      return predictPairs(dependencies, {
        userId,
        request: body,
        idempotencyKey,
        reqId: request.id,
        gone,
      })
    })
  }
}

type Reading = {
  userId: string
  screenId: string
  filter: calls.ScreenFilter
  sort?: calls.ScreenSort
  /** A page is filled by `fillRows` later, if the cells alone decide which pairs match. */
  isPage?: boolean
  /** With the rows of its follow-ups, below its own. */
  withFollowUps?: boolean
  gone: AbortSignal
}

type ReadMatches = (reading: Reading) => Promise<Matches>

type Matches = {
  id: string
  table: ScreenTable
  places: number[]
  /** Adds predictions adjusted by the user's own values to rows. */
  addOwn: AddOwnNumbers
  details: FillDetails
}

/** Reads the table of a screen and finds its matching pairs, in input order. */
function openMatches(dependencies: ScreenCalls): ReadMatches {
  const findWantedRows = openWantedRows({
    ...dependencies,
    readStarredNames: (userId) => readStarredNames(dependencies.db, userId),
  })
  return async ({
    userId,
    screenId,
    filter,
    sort,
    isPage = false,
    withFollowUps = false,
    gone,
  }) => {
    const screen = await findScreen(dependencies, userId, screenId)
    const { id, targets } = screen
    const isByCells = isPage && !needsDetails(filter, sort) && !needsRows(filter)
    const own = isByCells
      ? await readCells(dependencies.db, screen, { gone })
      : await readTable(dependencies.db, id, targets, { gone })
    const { table, isPair, key } = await addFollowUps(dependencies.db, {
      id,
      table: own,
      isWanted: withFollowUps,
      gone,
    })
    table.isAdjusted = filter.values === 'adjusted' && table.structure !== null
    const isRowWanted = isByCells
      ? null
      : await findWantedRows({ userId, id: key, gone }, table.rows, filter)
    const addOwn = await openOwnNumbers(dependencies, { userId, id, table })
    const details = await openDetails(dependencies, userId, table)
    if (needsDetails(filter, sort)) await details.all(gone)
    const profile = calls.readProfile(filter.profile)
    if (profile !== null) scoreTable(table, profile)
    gone.throwIfAborted()
    const places = matchPairs(table, filter, isRowWanted).filter(isPair)
    return { id, table, places, addOwn, details }
  }
}

function resultRoutes(dependencies: ScreenCalls, readMatches: ReadMatches): Feature {
  const { db, tableReaders: readers } = dependencies
  const find = (userId: string, id: string) => findScreen(dependencies, userId, id)
  return (app) => {
    route(app, calls.readScreenResults, async ({ userId, param, query, request, reply, gone }) => {
      const isWhole = request.headers.accept?.includes('application/x-ndjson') === true
      const screenId = param('id')
      if (!isWhole && isInputOrder(query)) {
        const { total, rows } = await readInputPage(dependencies, userId, screenId, query)
        void reply.header(calls.TOTAL_COUNT_HEADER, total)
        return { rows }
      }
      return readers[isWhole ? 'download' : 'page']({ userId, gone }, async () => {
        const { sort } = query
        const wanted = { userId, screenId, filter: query, sort, isPage: !isWhole, gone }
        const matches = await readMatches(wanted)
        const { table } = matches
        const { places, total } = orderPairs(table, matches.places, { ...query, isWhole })
        void reply.header(calls.TOTAL_COUNT_HEADER, total)
        if (isWhole) {
          void reply.type(mediaTypes.ndjson)
          const { columns, pages } = withOwnNumbers(matches)
          return Readable.from(encodeRows('ndjson', { columns, pages: pages(places) }))
        }
        await fillRows(db, matches.id, table, places)
        return { rows: await showRows(matches, places) }
      })
    })
    route(app, calls.readScreenMatrix, async ({ userId, param, query, gone }) => {
      const { id, targets } = await find(userId, param('id'))
      const withDetails = query.details === 'true'
      return readers.page({ userId, gone }, async () => {
        const table = await readTable(db, id, targets, { gone })
        if (withDetails) await (await openDetails(dependencies, userId, table)).show(table.rows)
        return toMatrix(table, withDetails)
      })
    })
  }
}

/** All pairs in input order: the blocks of a page are then known in advance. */
function isInputOrder(query: calls.ScreenResultsQuery): boolean {
  const isFiltered = Object.entries(query).some(
    ([name, value]) => !looks.has(name) && value !== undefined && value !== '',
  )
  return query.sort === 'input' && query.order !== 'desc' && !isFiltered
}

/** Parameters that affect order and pages only, and filter nothing. */
const looks = new Set(['page', 'page_size', 'by', 'column', 'sort', 'order'])

/** Reads only the blocks that the page needs. */
async function readInputPage(
  dependencies: ScreenCalls,
  userId: string,
  screenId: string,
  { by, page, page_size }: calls.ScreenResultsQuery,
) {
  const { id, targets, compounds } = await findScreen(dependencies, userId, screenId)
  const width = targets.length
  const perPage = by === 'pair' ? page_size : width * Math.max(1, Math.floor(page_size / width))
  const first = (page - 1) * perPage
  const end = Math.min(first + perPage, compounds * width)
  const wanted = { from: Math.floor(first / width), to: Math.ceil(end / width) }
  const table = await readTable(dependencies.db, id, targets, wanted)
  const addOwn = await openOwnNumbers(dependencies, { userId, id, table })
  const places = Array.from(
    { length: Math.max(0, end - first) },
    (_, at) => first + at - table.firstRow * width,
  )
  const details = await openDetails(dependencies, userId, table)
  const rows = await showRows({ table, addOwn, details }, places)
  return { total: by === 'pair' ? compounds * width : compounds, rows }
}

async function showRows(
  { table, addOwn, details }: Pick<Matches, 'table' | 'addOwn' | 'details'>,
  places: number[],
): Promise<calls.ScreenRow[]> {
  await details.show(places.map((place) => table.rows[Math.floor(place / table.targets.length)]))
  return addOwn(places.map((place) => toRow(table, place)))
}

/** The table of a screen with predictions adjusted by the user's own values. */
function withOwnNumbers(matches: Omit<Matches, 'places'>): NarrowTable {
  const { id, table } = matches
  return {
    screen: { id },
    table,
    columns: [
      ...columnsOf(table, rowColumnsWithOwn),
      ...(table.details?.scores === undefined ? [] : calls.profileColumns),
    ],
    async *pages(places) {
      for (const page of cutPages(places)) {
        yield await showRows(matches, page)
        // Without anything to wait for, a fast reader would keep everybody else waiting.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

/** Downloads all matches in input order; without filters, every row with every target. */
function downloadRoutes(dependencies: ScreenCalls, readMatches: ReadMatches): Feature {
  const { db, parsingWorkers, tableReaders: readers, structures } = dependencies
  return (app) => {
    for (const { format, extension, endpoint } of calls.screenExports) {
      const { mediaType, write } = writers[format]
      route(app, endpoint, ({ userId, param, query: filter, reply, gone }) =>
        readers.download({ userId, gone }, async () => {
          const wanted = { userId, screenId: param('id'), filter, withFollowUps: true, gone }
          const matches = await readMatches(wanted)
          const { id, table, places } = matches
          const wide = await widenTable(db, userId, withOwnNumbers(matches))
          nameDownload(reply, { type: mediaType, name: `screen_${id}.${extension}` })
          return write({ userId, table, wide, places, parsingWorkers })
        }),
      )
    }
    route(app, calls.downloadScreenPoses, async ({ userId, param, query, reply }) => {
      const { id, targets } = await findScreen(dependencies, userId, param('id'))
      const name = query.target?.normalize('NFC')
      const asked = targets
        .map((target, place) => ({ ...target, place }))
        .filter((one) => (name ?? one.name) === one.name)
        .filter((one) => (query.chain ?? one.chain) === one.chain)
      if (asked.length === 0) {
        throw new AppError('not_found', `The screen has no target ${name ?? query.chain}.`)
      }
      nameDownload(reply, { type: SDF_TYPE, name: `poses_${id}.sdf` })
      const kept = { userId, screenId: id, targets: name === undefined ? asked : asked.slice(0, 1) }
      return Readable.from(writeKeptPoses({ db, poses: structures.poses }, kept))
    })
  }
}

function nameDownload(reply: FastifyReply, { type, name }: { type: string; name: string }): void {
  void reply.type(type).header('Content-Disposition', `attachment; filename="${name}"`)
}
