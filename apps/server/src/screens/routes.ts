/** The calls that quote, start, watch, read and cancel screens. */
import { Readable } from 'node:stream'
import * as calls from '@pkdex/contract'
import type { Screen } from '@pkdex/contract'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { route } from '#server/auth/guarded-routes.ts'
import type { OwnValues } from '#server/measurements/service.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Feature, readHeader } from '#server/platform/http/route.ts'
import { watchScreen } from './events.ts'
import { type AddOwnNumbers, openOwnNumbers } from './own-numbers.ts'
import {
  matchPairs,
  readTable,
  rowColumnsWithOwn,
  type ScreenTable,
  toMatrix,
  toPages,
  toRow,
  sortPairs,
} from './results.ts'
import { type NarrowTable, widenTable } from './own-columns.ts'
import { type PairsDependencies, predictPairs } from './predict-pairs.ts'
import { quoteScreen, type ScreenDependencies, startScreen } from './start.ts'
import { openWantedRows } from './wanted-rows.ts'
import { writeSdf } from './write-sdf.ts'
import { writeXlsx, XLSX_TYPE } from './write-xlsx.ts'

export type ScreenCalls = ScreenDependencies & {
  parsingWorkers: Pick<ParsingWorkers, 'matchSubstructure' | 'writeMolblocks'>
  ownValues: OwnValues
}

export function screenRoutes(dependencies: ScreenCalls): Feature {
  const { store } = dependencies
  const find = (userId: string, id: string) => findScreen(dependencies, userId, id)
  const readMatches = openMatches(dependencies)
  const bindResults = resultRoutes(dependencies, readMatches)
  const bindDownloads = downloadRoutes(dependencies, readMatches)
  return (app) => {
    bindResults(app)
    bindDownloads(app)
    route(app, calls.quoteScreen, ({ userId, body }) => quoteScreen(dependencies, userId, body))
    route(app, calls.startScreen, ({ userId, body, request }) => {
      const idempotencyKey = readHeader(request, 'Idempotency-Key') || null
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
    route(app, calls.cancelScreen, async ({ userId, param }) => {
      const { id } = await find(userId, param('id'))
      await store.cancel(userId, id)
      return find(userId, id)
    })
  }
}

export function pairsRoutes(dependencies: PairsDependencies): Feature {
  return (app) =>
    route(app, calls.predictPairs, ({ userId, body, request, reply }) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const idempotencyKey = readHeader(request, 'Idempotency-Key') || null
      return predictPairs(dependencies, {
        userId,
        request: body,
        idempotencyKey,
        reqId: request.id,
        gone: gone.signal,
      })
    })
}

async function findScreen(
  { store }: ScreenDependencies,
  userId: string,
  id: string,
): Promise<Screen> {
  const screen = isUuid(id) ? await store.read(userId, id) : null
  if (screen === null) throw new AppError('not_found', 'There is no such screen.')
  return screen
}

type ReadMatches = (
  userId: string,
  screenId: string,
  filter: calls.ScreenFilter,
) => Promise<Matches>

type Matches = {
  id: string
  table: ScreenTable
  places: number[]
  /** Rows of the table with what the user's own values say. */
  addOwn: AddOwnNumbers
}

/** The table of a screen, and the pairs of it that match, in the order of the input. */
function openMatches(dependencies: ScreenCalls): ReadMatches {
  const findWantedRows = openWantedRows(dependencies.parsingWorkers)
  return async (userId, screenId, filter) => {
    const { id, targets } = await findScreen(dependencies, userId, screenId)
    const table = await readTable(dependencies.db, id, targets)
    const isRowWanted = await findWantedRows({ userId, id }, table.rows, filter)
    const addOwn = await openOwnNumbers(dependencies, { userId, id, table })
    return { id, table, places: matchPairs(table, filter, isRowWanted), addOwn }
  }
}

function resultRoutes(dependencies: ScreenDependencies, readMatches: ReadMatches): Feature {
  const { db } = dependencies
  const find = (userId: string, id: string) => findScreen(dependencies, userId, id)
  const closing = new AbortController()
  return (app) => {
    app.fastify.addHook('preClose', async () => closing.abort())
    route(app, calls.readScreenResults, async ({ userId, param, query, request, reply }) => {
      const matches = await readMatches(userId, param('id'), query)
      const { table, addOwn } = matches
      const places = sortPairs(table, matches.places, query)
      void reply.header(calls.TOTAL_COUNT_HEADER, places.length)
      if (request.headers.accept?.includes('application/x-ndjson') === true) {
        void reply.type(mediaTypes.ndjson)
        const { columns, pages } = withOwnNumbers(matches)
        return Readable.from(encodeRows('ndjson', { columns, pages: pages(places) }))
      }
      const from = (query.page - 1) * query.page_size
      const page = places.slice(from, from + query.page_size)
      return { rows: await addOwn(page.map((place) => toRow(table, place))) }
    })
    route(app, calls.readScreenMatrix, async ({ userId, param, query }) => {
      const { id, targets } = await find(userId, param('id'))
      return toMatrix(await readTable(db, id, targets), query.details === 'true')
    })
    route(app, calls.watchScreen, async ({ userId, param, request, reply }) => {
      const screen = await find(userId, param('id'))
      const stopped = new AbortController()
      request.raw.socket.once('close', () => stopped.abort())
      void reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no')
      const afterId = readHeader(request, 'Last-Event-ID')
      const signal = AbortSignal.any([stopped.signal, closing.signal])
      const watch = { userId, screen, afterId, signal }
      const stream = Readable.from(watchScreen(dependencies, watch), { objectMode: false })
      stream.once('close', () => stopped.abort())
      return stream
    })
  }
}

/** The table of a screen with the numbers that the user's own values make. */
function withOwnNumbers({ table, addOwn }: Pick<Matches, 'table' | 'addOwn'>): NarrowTable {
  return {
    table,
    columns: rowColumnsWithOwn,
    async *pages(places) {
      for await (const page of toPages(table, places)) yield await addOwn(page)
    },
  }
}

/** All that matches, in the order of the input; without filters every row of it with every target. */
function downloadRoutes({ db, parsingWorkers }: ScreenCalls, readMatches: ReadMatches): Feature {
  return (app) => {
    route(app, calls.downloadScreen, async ({ userId, param, query, reply }) => {
      const { id, ...matches } = await readMatches(userId, param('id'), query)
      void reply.type(mediaTypes.csv)
      void reply.header('Content-Disposition', `attachment; filename="screen_${id}.csv"`)
      const { columns, pages } = await widenTable(db, userId, withOwnNumbers(matches))
      return Readable.from(encodeRows('csv', { columns, pages: pages(matches.places) }))
    })
    route(app, calls.downloadScreenSdf, async ({ userId, param, query, reply }) => {
      const { id, ...matches } = await readMatches(userId, param('id'), query)
      const { table, places } = matches
      const wide = await widenTable(db, userId, withOwnNumbers(matches))
      void reply.type('chemical/x-mdl-sdfile')
      void reply.header('Content-Disposition', `attachment; filename="screen_${id}.sdf"`)
      return Readable.from(writeSdf(parsingWorkers, { userId, table, wide, places }))
    })
    route(app, calls.downloadScreenXlsx, async ({ userId, param, query, reply }) => {
      const { id, ...matches } = await readMatches(userId, param('id'), query)
      const { places } = matches
      void reply.type(XLSX_TYPE)
      void reply.header('Content-Disposition', `attachment; filename="screen_${id}.xlsx"`)
      const wide = await widenTable(db, userId, withOwnNumbers(matches))
      const pages = (from: number, to: number) => wide.pages(places.slice(from, to))
      const mtime = new Date()
      return writeXlsx({ columns: wide.columns, count: places.length, pages, mtime })
    })
  }
}
