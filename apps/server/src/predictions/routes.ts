/** The endpoints that request a prediction, poll it, and list past ones. */
import { Readable } from 'node:stream'
import {
  downloadHistory,
  fileHeading,
  type KnownPair,
  listHistory,
  listKnown,
  readPrediction,
  requestPrediction,
  TOTAL_COUNT_HEADER,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { listKnownNumbers, type NamedNumber } from './known.ts'
import { historyFileColumns, pageOfHistory, pagesOfHistory } from './history.ts'
import { askForPrediction, readTask, type PredictionDependencies } from './single.ts'

export { pairsRoutes, screenRoutes } from './screen-routes.ts'

export function predictionRoutes(dependencies: PredictionDependencies): Feature {
  return (app) => {
    route(app, requestPrediction, ({ userId, body, request, reply }) =>
      askForPrediction(dependencies, {
        userId,
        targetName: body.protein_id,
        compoundName: body.compound_id,
        arrivedAt: new Date(dependencies.now().getTime() - reply.elapsedTime),
        reqId: request.id,
        // RFC 7240: with `Prefer: respond-async`, return the task immediately.
        isInHurry: /\brespond-async\b/.test(String(request.headers['prefer'] ?? '')),
      }),
    )
    route(app, listKnown, async ({ userId, query }) => {
      const { modelVersion, creditsPerPrediction } = dependencies
      const of = { userId, modelVersion, targetName: query.protein_id }
      const { known, earlier, missing } = await listKnownNumbers(dependencies, of)
      return {
        known: known.map(toKnownPair),
        earlier: earlier.map((one) => ({ ...toKnownPair(one), model_version: one.modelVersion })),
        to_predict: missing,
        credits_needed: missing * creditsPerPrediction,
      }
    })
    route(app, readPrediction, ({ userId, param }) =>
      readTask(dependencies, { userId, taskId: param('taskId') }),
    )
    route(app, listHistory, async ({ userId, query, reply }) => {
      const { total, predictions } = await pageOfHistory(dependencies, { userId, ...query })
      void reply.header(TOTAL_COUNT_HEADER, total)
      return { predictions }
    })
    route(app, downloadHistory, async ({ userId, query, reply }) => {
      void reply.type(mediaTypes.csv)
      void reply.header('Content-Disposition', 'attachment; filename="history.csv"')
      const pages = pagesOfHistory(dependencies, { userId, ...query })
      return Readable.from(
        encodeRows('csv', { columns: historyFileColumns, headingOf: fileHeading, pages }),
      )
    })
  }
}

function toKnownPair({ name, predicted, best, measured }: NamedNumber): KnownPair {
  return { compound_id: name, predicted_kd: predicted, best_kd: best, measured_pk: measured }
}
