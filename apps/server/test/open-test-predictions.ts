/** The feature on a fresh database with its real queue, and a model whose predictions a test sets. */
import { randomUUID } from 'node:crypto'
import type { PredictionResult } from '@pkdex/contract'
import type { FastifyInstance } from 'fastify'
import type { PgBoss } from 'pg-boss'
import type pino from 'pino'
import type { PredictionDependencies } from '#server/predictions/single.ts'
import { readTestConfig } from './open-test-app.ts'
import { libraryRoutes } from '#server/files/routes.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import type { Predict } from './open-test-grid.ts'
import { addTestFile, hash, MODEL_VERSION, openTestEngine } from './open-test-engine.ts'
import { predictTestGrid } from './open-test-screens.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import type { Predictor } from '#server/inference/service.ts'
import { orderAllMeasured } from '#server/predictions/order-measured.ts'
import type { BlockAttempt, BlockQueue } from '#server/predictions/queue.ts'
import { predictionRoutes } from '#server/predictions/routes.ts'
import { CELL_BYTES, cellOf, writeCell, writeFailure } from '#server/predictions/cells.ts'
import { countValuesOf } from '#server/measurements/service.ts'
import { countTasksOf, endTasksOf } from '#server/predictions/deletion.ts'
import type { OrderStore } from '#server/predictions/store.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { WaitingMax } from '#server/predictions/waiting.ts'

export type TestPredictions = {
  app: FastifyInstance
  database: OpenDatabase
  boss: PgBoss
  queue: BlockQueue
  store: OrderStore
  requests: PredictionDependencies
  /** How long a request waits; undefined: long for a worker that may be slow, briefly without one. */
  answerMs: number | undefined
  /** Lets time pass without waiting. */
  laterMs: number
  /** How many predictions may wait. */
  waitingMax: WaitingMax
  /** Starts a worker whose model predicts like this. */
  work(predict?: Predict, predictGrid?: Predictor['predictGrid']): WorkLoops
  /** Stops the workers, deletes their jobs and ends the tasks. */
  reset(): Promise<void>
  close(): Promise<void>
}

const asAtFirst = {
  answerMs: undefined,
  laterMs: 0,
  waitingMax: { perUser: 1000, inAll: 1000 },
}

export async function openTestPredictions(): Promise<TestPredictions> {
  const engine = await openTestEngine(() => performance.now() + t.laterMs)
  const { database, boss, queue, workers, stopWorkers, log } = engine
  const { store } = engine.parts
  const parts = {
    ...engine.parts,
    get waitingMax() {
      return t.waitingMax
    },
    get answerMs() {
      return t.answerMs ?? (workers.size > 0 ? 50_000 : 200)
    },
    lookMs: 150,
  }
  const app = await serve(parts, log)
  async function reset() {
    await stopWorkers()
    Object.assign(t, asAtFirst)
    await boss.deleteAllJobs('predict')
    await boss.deleteAllJobs('screen-block')
    await store.failAbandoned()
  }
  const t: TestPredictions = {
    app,
    database,
    boss,
    queue,
    store,
    requests: parts,
    ...asAtFirst,
    work(predict = () => ({ ok: true, result: resultOf(7) }), predictGrid = predictTestGrid) {
      const predictor = testPredictor({ predict, predictGrid })
      return engine.start({ predictor, orderMeasuredValues: () => orderAllMeasured(parts) })
    },
    reset,
    async close() {
      await reset()
      await engine.close(app)
    },
  }
  return t
}

type Model = Pick<Predictor, 'predictGrid'> & { predict: Predict }

function serve(parts: PredictionDependencies, log: pino.Logger): Promise<FastifyInstance> {
  const { db, now } = parts
  const config = readTestConfig()
  const features = [
    predictionRoutes(parts),
    creditsRoutes({ db, perPrediction: 1 }),
    libraryRoutes({
      db,
      release: (trx, going) => endTasksOf(trx, going, now),
      countAffected: async (userId, what) => ({
        ...(await countTasksOf(db, userId, what)),
        measured_values: await countValuesOf(db, userId, what),
      }),
    }),
  ]
  return buildApp({ config, db, log, now, features })
}

function testPredictor({ predict, predictGrid }: Model): Predictor {
  return {
    modelVersion: MODEL_VERSION,
    threads: 1,
    predict: (pairs) => Promise.all(pairs.map(async (pair) => predict(pair))),
    predictGrid,
    close: async () => {},
  }
}

/** Finishes a single prediction as a worker does; a null result means that it could not be predicted. */
export async function finishSingle(
  { store }: Pick<TestPredictions, 'store'>,
  attempt: BlockAttempt,
  result: PredictionResult | null,
): Promise<void> {
  const cells = Buffer.alloc(CELL_BYTES)
  if (result === null) writeFailure(cells, 0)
  else writeCell(cells, 0, cellOf(result))
  const block = (await store.readWork([attempt.id])).get(attempt.id)
  const sequence = block?.targets[0]?.key
  const { model_version: modelVersion } = result ?? { model_version: MODEL_VERSION }
  const isFailed = result === null
  const counted = { cells, failed: Number(isFailed), predicted: Number(!isFailed), modelVersion }
  if (block === undefined || sequence === undefined || result === null) {
    return store.finishBlock(attempt, counted)
  }
  const reading = { key: { sequence, compound: block.keys }, result }
  return store.finishBlock(attempt, { ...counted, reading })
}

export async function jobOf({ db }: OpenDatabase, taskId: string): Promise<string> {
  const { job_id } = await db
    .selectFrom('blocks')
    .select('job_id')
    .where('order_id', '=', taskId)
    .executeTakeFirstOrThrow()
  return job_id
}

export function resultOf(predictedKd: number): PredictionResult {
  return {
    predicted_kd: predictedKd,
    unit: 'pKd',
    interval: { lower: predictedKd - 2, upper: predictedKd + 2, level: 0.95 },
    domain: { is_inside: true, is_ligand_driven: false, reason: 'Near the training data.' },
    nearest_compound: { similarity: 0.6 },
    nearest_targets: [],
    model_version: MODEL_VERSION,
  }
}

export type TestPair = { target: string; compound: string; targetId: string; compoundId: string }

/** Gives a user a target and a compound, as an upload would have. */
export async function addPair(
  { db }: OpenDatabase,
  userId: string,
  {
    target = randomUUID(),
    compound = randomUUID(),
    smiles = 'CCO',
  }: { target?: string; compound?: string; smiles?: string } = {},
): Promise<TestPair> {
  const created_at = new Date()
  const file_id = await addTestFile(db, userId, Buffer.alloc(0))
  const shared = { user_id: userId, file_id, created_at }
  const { id: targetId } = await db
    .insertInto('targets')
    .values({
      ...shared,
      name: target,
      chain: 'A',
      segments: JSON.stringify({ A: ['MKVLA', 'GGH'], B: ['MKV'] }),
      report: JSON.stringify(targetReport),
      content_hash: hash(target),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: compoundId } = await db
    .insertInto('compounds')
    .values({
      ...shared,
      name: compound,
      smiles,
      standard_smiles: smiles,
      report: JSON.stringify({ ...compoundReport, standard_smiles: smiles }),
      content_hash: hash(smiles),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { target, compound, targetId, compoundId }
}

const targetReport = {
  title: null,
  pdb_code: null,
  chains: [],
  mapped: [],
  dropped: [],
  warnings: [],
}

const compoundReport = {
  formula: 'C2H6O',
  mass: 46.07,
  heavy_atoms: 3,
  standard_smiles: 'CCO',
  stripped: [],
  neutralised: 0,
  warnings: [],
}
