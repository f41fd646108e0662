/** The endpoints that quote, start, watch, read and cancel screens. */
import { Readable } from 'node:stream'
import * as calls from '@pkdex/contract'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import { AppError } from '#server/platform/errors.ts'
import { readIdempotencyKey } from '#server/platform/http/idempotency.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { noteLinkViewer, ownerOfShared } from '#server/sharing/service.ts'
import { eventRoutes } from './event-routes.ts'
import { writeStoredPoses } from './stored-poses.ts'
import {
  countMatches,
  findForExport,
  findMatches,
  type MatchDependencies,
  narrowTable,
  readPage,
  type Request,
} from './matches.ts'
import { openDetails } from './row-details.ts'
import { writers } from './screen-exports.ts'
import type { BestEstimates } from './best-estimates.ts'
import { readFailed, readInput } from './screen-table.ts'
import { readMatrix } from './matrix.ts'
import { widenTable } from './own-columns.ts'
import { type PairsDependencies, predictPairs, quotePairs } from './predict-pairs.ts'
import {
  findReadable,
  findScreen,
  quoteScreen,
  type ScreenOrderDependencies,
  startScreen,
} from './order.ts'
import { viewTable } from './screen-view.ts'
import { openTable } from './table-estimates.ts'
import type { TableReaders } from './table-readers.ts'
import { openFindCandidates } from './wanted-rows.ts'
import { SDF_TYPE } from './write-sdf.ts'
import { withPictures } from './xlsx-pictures.ts'

export type ScreenCalls = ScreenOrderDependencies & {
  parsingWorkers: Pick<
    ParsingWorkers,
    'matchSubstructure' | 'searchStructure' | 'writeMolblocks' | 'drawCompounds' | 'findCore'
  >
  best: BestEstimates
  tableReaders: TableReaders
}

export function screenRoutes(dependencies: ScreenCalls): Feature {
  const { store } = dependencies
  const find = (userId: string, id: string) => findScreen(dependencies, userId, id)
  const read = (userId: string, id: string) => findReadable(dependencies, userId, id)
  const matching = { ...dependencies, findCandidates: openFindCandidates(dependencies) }
  const bindResults = resultRoutes({ dependencies, matching })
  const bindDownloads = downloadRoutes({ dependencies, matching })
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
      const { total, screens } = await listScreens(dependencies, userId, query)
      void reply.header(calls.TOTAL_COUNT_HEADER, total)
      return { screens }
    })
    route(app, calls.readScreen, async ({ userId, param }) => {
      const { screen } = await read(userId, param('id'))
      if (screen.shared_by === null) return screen
      await noteLinkViewer(dependencies.db, {
        viewerId: userId,
        screenId: screen.id,
        now: app.now(),
      })
      return screen
    })
    route(app, calls.renameScreen, async ({ userId, param, body }) => {
      const { id } = await find(userId, param('id'))
      await store.rename(userId, id, body)
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

/** With `follow_up_of`, also those of a screen that is shared with the caller. */
async function listScreens(
  { db, store }: ScreenCalls,
  viewerId: string,
  query: Parameters<ScreenCalls['store']['list']>[1],
) {
  const own = await store.list(viewerId, query)
  const { follow_up_of: screenId } = query
  if (own.total > 0 || screenId === undefined) return own
  const access = await ownerOfShared(db, { viewerId, screenId })
  return access === null ? own : store.list(access.userId, query)
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

type Calls = { dependencies: ScreenCalls; matching: MatchDependencies }

function resultRoutes({ dependencies, matching }: Calls): Feature {
  const { db, tableReaders: readers } = dependencies
  return (app) => {
    route(app, calls.readScreenResults, async (call) => {
      const { userId: callerId, param, query, request, reply, gone } = call
      const isWhole = request.headers.accept?.includes('application/x-ndjson') === true
      const use = isWhole ? 'export' : 'view'
      const { screen, userId } = await findReadable(dependencies, callerId, param('id'), use)
      const read = async () => {
        const reader = { userId, screen, gone }
        const matches = await findMatches(matching, reader, { ...query, isWhole })
        void reply.header(calls.TOTAL_COUNT_HEADER, matches.parts[0]?.total ?? 0)
        if (!isWhole) return { rows: await readPage(db, matches) }
        void reply.type(mediaTypes.ndjson)
        const { columns, pages } = narrowTable(db, matches)
        return Readable.from(encodeRows('ndjson', { columns, pages: pages(0, Infinity) }))
      }
      if (!isWhole && isInputOrder(query)) return read()
      return readers[isWhole ? 'download' : 'page']({ userId: callerId, gone }, read)
    })
    route(app, calls.readScreenMatrix, async ({ userId: callerId, param, query, gone }) => {
      const { screen, userId } = await findReadable(dependencies, callerId, param('id'))
      const withDetails = query.details === 'true'
      return readers.page({ userId: callerId, gone }, async () => {
        const table = await openTable(dependencies, userId, screen)
        const input = await readInput(db, table, { gone })
        const failed = await readFailed(db, table, { from: 0, to: input.length })
        if (withDetails) {
          const details = await openDetails(dependencies, userId, table)
          await details.show(input.map((row) => ({ input: row })))
        }
        return readMatrix(db, table, { input, failed, withDetails, gone })
      })
    })
  }
}

/** A page of all pairs in input order reads nothing else. */
function isInputOrder(query: calls.ScreenResultsQuery): boolean {
  const isFiltered = Object.entries(query).some(
    ([name, value]) => !looks.has(name) && value !== undefined && value !== '',
  )
  return query.sort === 'input' && query.order !== 'desc' && !isFiltered
}

/** Parameters that affect order and pages only, and filter nothing. */
const looks = new Set(['page', 'page_size', 'by', 'column', 'sort', 'order'])

/** Downloads all matches in input order; without filters, every row with every target. */
function downloadRoutes({ dependencies, matching }: Calls): Feature {
  const { db, parsingWorkers, tableReaders: readers, structures } = dependencies
  return (app) => {
    for (const { format, extension, endpoint } of calls.screenExports) {
      const { mediaType, write } = writers[format]
      route(app, endpoint, ({ userId: callerId, param, query, reply, gone }) =>
        readers.download({ userId: callerId, gone }, async () => {
          const found = await findReadable(dependencies, callerId, param('id'), 'export')
          const { screen, userId } = found
          const table = await openExport(matching, { userId, screen, gone }, query)
          const drawn =
            'pictures' in query && query.pictures === 'true'
              ? await withPictures(table, { userId: callerId, gone, parsingWorkers })
              : table
          nameDownload(reply, screen, { type: mediaType, what: 'screen', extension })
          const forExcel = 'excel' in query && query.excel === 'true'
          return write({ userId, ...drawn, forExcel, parsingWorkers })
        }),
      )
    }
    route(app, calls.downloadScreenPoses, async ({ userId: callerId, param, query, reply }) => {
      const found = await findReadable(dependencies, callerId, param('id'), 'export')
      const { userId } = found
      const { targets } = found.screen
      const name = query.target?.normalize('NFC')
      const chosen = targets
        .map((target, place) => ({ ...target, place }))
        .filter((one) => (name ?? one.name) === one.name)
        .filter((one) => (query.chain ?? one.chain) === one.chain)
      if (chosen.length === 0) {
        throw new AppError('not_found', `The screen has no target ${name ?? query.chain}.`)
      }
      nameDownload(reply, found.screen, { type: SDF_TYPE, what: 'poses', extension: 'sdf' })
      const stored = {
        userId,
        screenId: found.screen.id,
        targets: name === undefined ? chosen : chosen.slice(0, 1),
      }
      return Readable.from(writeStoredPoses({ db, poses: structures.poses }, stored))
    })
  }
}

type ExportQuery = z.output<calls.ScreenExport['endpoint']['query']>

/** Every input row and the follow-ups, or with columns the rows as the page shows them. */
async function openExport(matching: MatchDependencies, request: Request, query: ExportQuery) {
  const { userId, screen } = request
  const view = 'columns' in query && query.columns !== undefined ? query : null
  const matches =
    view === null
      ? await findForExport(matching, request, query)
      : await findMatches(matching, request, {
          ...calls.ScreenResultsQuery.parse({}),
          ...view,
          isWhole: true,
        })
  const pairs = countMatches(matches)
  const wide = await widenTable(matching.db, userId, narrowTable(matching.db, matches))
  if (view?.columns === undefined) return { wide, count: pairs }
  const { by, columns } = view
  const { targets } = screen
  const count = by === 'compound' ? pairs / targets.length : pairs
  return { wide: viewTable(wide, { by, columns, targets }), count }
}

type Download = { type: string; what: 'screen' | 'poses'; extension: string }

/** Named after the screen; by its id for clients that read ASCII only, and if it has no name. */
function nameDownload(
  reply: FastifyReply,
  { id, name }: Pick<calls.Screen, 'id' | 'name'>,
  { type, what, extension }: Download,
): void {
  const plain = `filename="${what}_${id}.${extension}"`
  const suffix = what === 'poses' ? ' poses' : ''
  const named =
    name === null ? '' : `; filename*=UTF-8''${toHeader(`${name}${suffix}.${extension}`)}`
  void reply.type(type).header('Content-Disposition', `attachment; ${plain}${named}`)
}

/** As RFC 8187 wants it, without the characters that file systems refuse. */
function toHeader(filename: string): string {
  const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  const usable = filename.toWellFormed().replaceAll(/[\\/:*?"<>|]/g, '_')
  return encodeURIComponent(usable).replaceAll(/['()]/g, escape)
}
