/** The calls that ask for a prediction and poll it. */
import { readPrediction, requestPrediction } from '@pkdex/contract'
import { route, type Feature } from '#server/http/route.ts'
import { askForPrediction, readTask, type PredictionParts } from './service.ts'

export function predictionRoutes(parts: PredictionParts): Feature {
  return (app) => {
    route(app, requestPrediction, ({ userId, body, request, reply }) =>
      askForPrediction(parts, {
        userId,
        targetName: body.protein_id,
        compoundName: body.compound_id,
        arrivedAt: new Date(parts.now().getTime() - reply.elapsedTime),
        // RFC 7240: a script that has other things to do takes the task at once.
        isInHurry: /\brespond-async\b/.test(String(request.headers['prefer'] ?? '')),
      }),
    )
    route(app, readPrediction, ({ userId, param }) =>
      readTask(parts, { userId, taskId: param('taskId') }),
    )
  }
}
