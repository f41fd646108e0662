/** The feature on a fresh database, with real parsing threads and a model whose predictions a test sets. */
import { type ImportedMeasurements, type PredictionResult } from '@pkdex/contract'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { expect, vi } from 'vitest'
import { addPair, openTestSession, type TestPair, type TestSession } from './factories.ts'
import { type Pair, readOwnValuesSettings } from '#server/inference/service.ts'
import { readTestConfig } from './open-test-app.ts'
import { openTestParsing } from './open-test-files.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import { MODEL_VERSION, type Predict, predictEach, resultOf } from './open-test-grid.ts'
import {
  findEveryPair,
  openTestPredictions,
  type TestPredictions,
} from './open-test-predictions.ts'
import { openBestEstimates, openFindPredicted, orderMeasured } from '#server/predictions/service.ts'
import { sequenceKey } from '#server/predictions/pair-key.ts'
import { measurementRoutes } from '#server/measurements/routes.ts'
import { openOwnValues } from '#server/measurements/service.ts'

type OfPair = { userId: string; targetId: string; chain: string; smiles: string }

export type TestMeasurements = {
  app: FastifyInstance
  predictions: TestPredictions
  database: OpenDatabase
  /** The result of a pair of this user as it is read. */
  complete(of: OfPair, result: PredictionResult): Promise<PredictionResult>
  /** Sets what the model predicts from now on. */
  answer: (pair: Pair) => PredictionResult | Promise<PredictionResult>
  close(): Promise<void>
}

/** `isEachPaid`: every prediction is shown, as if its user had paid for it. */
export async function openTestMeasurements({ isEachPaid = true } = {}): Promise<TestMeasurements> {
  const log = openLog('silent')
  const predictions = await openTestPredictions()
  const { database } = predictions
  const { db } = database
  const now = () => new Date()
  const parsingWorkers = openTestParsing()
  const settings = readOwnValuesSettings(readTestConfig().modelDir)
  const findPredicted = isEachPaid ? findEveryPair : openFindPredicted(predictions.requests)
  const ownValues = openOwnValues({ database, parsingWorkers, settings, findPredicted })
  const best = openBestEstimates({ db, ownValues, usesPoses: true })
  const t: TestMeasurements = {
    app: await buildApp({
      config: readTestConfig(),
      db,
      log,
      now,
      features: [
        measurementRoutes({
          db,
          parsingWorkers,
          modelVersion: MODEL_VERSION,
          ownValuesSettings: settings,
          findPredicted,
          orderPredictions: (of) => orderMeasured(predictions.requests, of),
          now,
        }),
      ],
    }),
    predictions,
    database,
    async complete({ userId, targetId, chain, smiles }, result) {
      const { name, segments } = await db
        .selectFrom('targets')
        .select(['name', 'segments'])
        .where('id', '=', targetId)
        .executeTakeFirstOrThrow()
      const target = { name, chain, key: sequenceKey(segments[chain] ?? []) }
      return best.complete({ userId, target, smiles }, result)
    },
    answer: () => resultOf(6),
    async close() {
      await t.app.close()
      await predictions.close()
    },
  }
  const predict: Predict = async (pair) => {
    try {
      return { ok: true, result: await t.answer(pair) }
    } catch (error) {
      return { ok: false, error }
    }
  }
  predictions.workPairs(predict, (grid) => predictEach(grid, predict))
  return t
}

export type TestOwner = TestSession & {
  pair: TestPair
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<Answer>
  /** Values of the user's target, one per line. */
  importText(text: string, more?: object): Promise<ImportedMeasurements>
  /** Waits until all of them are predicted. */
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
