/** The calls that ask for a prediction, poll it, and list those of the past. */
import { Readable } from 'node:stream'
import {
  downloadHistory,
  listHistory,
  listKnown,
  readPrediction,
  requestPrediction,
  TOTAL_COUNT_HEADER,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { encodeRows, mediaTypes } from '#server/platform/db/encode-rows.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { listKnownNumbers } from '#server/screens/service.ts'
import { historyColumns, pageOfHistory, pagesOfHistory } from './history.ts'
import { askForPrediction, readTask, type PredictionDependencies } from './request-prediction.ts'

export function predictionRoutes(dependencies: PredictionDependencies): Feature {
  return (app) => {
    route(app, requestPrediction, ({ userId, body, request, reply }) =>
      askForPrediction(dependencies, {
        userId,
        targetName: body.protein_id,
        compoundName: body.compound_id,
        arrivedAt: new Date(dependencies.now().getTime() - reply.elapsedTime),
        reqId: request.id,
        // RFC 7240: a script that has other things to do takes the task at once.
        isInHurry: /\brespond-async\b/.test(String(request.headers['prefer'] ?? '')),
      }),
    )
    route(app, listKnown, async ({ userId, query }) => {
      const { db, modelVersion, creditsPerPrediction } = dependencies
      const asked = { userId, modelVersion, targetName: query.protein_id }
      const { known, missing } = await listKnownNumbers(db, asked)
      return {
        known: known.map(({ name, predicted }) => ({ compound_id: name, predicted_kd: predicted })),
        to_predict: missing,
        credits_needed: missing * creditsPerPrediction,
      }
    })
    route(app, readPrediction, ({ userId, param }) =>
      readTask(dependencies, { userId, taskId: param('taskId') }),
    )
    route(app, listHistory, async ({ userId, query, reply }) => {
      const { total, predictions } = await pageOfHistory(dependencies.db, { userId, ...query })
      void reply.header(TOTAL_COUNT_HEADER, total)
      return { predictions }
    })
    route(app, downloadHistory, async ({ userId, query, reply }) => {
      void reply.type(mediaTypes.csv)
      void reply.header('Content-Disposition', 'attachment; filename="history.csv"')
      const pages = pagesOfHistory(dependencies.db, { userId, ...query })
      return Readable.from(encodeRows('csv', { columns: historyColumns, pages }))
    })
  }
}
