/** The feature on a fresh database, with real threads for molecules and a model whose numbers a test chooses. */
import { type ImportedMeasurements, type PredictionResult } from '@pkdex/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect, vi } from 'vitest'
import { openTestSession, type TestSession } from '#server/auth/open-test-session.ts'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import type { Pair, Predictor } from '#server/inference/service.ts'
import { readConfig } from '#server/main/settings.ts'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import { addPair, resultOf, type TestPair } from '#server/predictions/open-test-predictions.ts'
import { measurementRoutes } from './routes.ts'
import { type AddOwnValues, openMeasurements, openOwnValues } from './service.ts'

export const MODEL_VERSION = 'test-1'

export type TestMeasurements = {
  app: FastifyInstance
  database: OpenDatabase
  addOwnValues: AddOwnValues
  /** What the model answers from now on. */
  answer: (pair: Pair) => PredictionResult
  close(): Promise<void>
}

export async function openTestMeasurements(): Promise<TestMeasurements> {
  const log = openLog('silent')
  const database = await openTestDatabase()
  const { db } = database
  const now = () => new Date()
  const parsingWorkers = openParsingWorkers({ threads: 1 })
  const { wakeWorker, startWorker, stop } = openMeasurements({ database, log })
  const t: TestMeasurements = {
    app: await buildApp({
      config: readConfig({ RATE_LIMIT: 'off', WEB_DIR: '/nowhere' }),
      db,
      log,
      now,
      features: [
        measurementRoutes({ db, parsingWorkers, modelVersion: MODEL_VERSION, wakeWorker, now }),
      ],
    }),
    database,
    addOwnValues: openOwnValues({ database, parsingWorkers }),
    answer: () => resultOf(6),
    async close() {
      await stop()
      await t.app.close()
      await parsingWorkers.close()
      await database.close()
    },
  }
  const predictor: Predictor = {
    modelVersion: MODEL_VERSION,
    threads: 1,
    predict: async (pairs) => pairs.map((pair) => ({ ok: true, result: t.answer(pair) })),
    predictGrid: async ({ smiles }) => smiles.map(() => null),
    close: async () => {},
  }
  startWorker(predictor)
  return t
}

export type TestOwner = TestSession & {
  pair: TestPair
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<Answer>
  /** Values of the user's target, a line each. */
  importText(text: string, more?: object): Promise<ImportedMeasurements>
  /** Until the model has been asked about all of them. */
  untilPredicted(): Promise<void>
}

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** A signed-in user with one target and one compound. */
export async function openTestOwner(
  { app, database }: TestMeasurements,
  pairOf: { smiles?: string } = {},
): Promise<TestOwner> {
  const session = await openTestSession(database.db)
  const pair = await addPair(database, session.userId, pairOf)
  const send: TestOwner['send'] = (method, url, payload) => {
    const request: InjectOptions = { method, url, headers: session.headers }
    return app.inject(payload === undefined ? request : { ...request, payload })
  }
  return {
    ...session,
    pair,
    send,
    async importText(text, more = {}) {
      const answer = await send('POST', '/measurements', { target: pair.target, text, ...more })
      expect(answer).toMatchObject({ statusCode: 200 })
      return answer.json()
    },
    untilPredicted: () =>
      vi.waitFor(
        async () => {
          const answer = await send('GET', `/measurements/comparison?target=${pair.target}`)
          expect(answer.json()).toMatchObject({ waiting: 0 })
        },
        { timeout: 50_000, interval: 50 },
      ),
  }
}
