/** The feature on a fresh database with its real queue, and a predictor whose behaviour a test chooses. */
import { createHash, randomUUID } from 'node:crypto'
import type { PredictionResult } from '@pkdex/contract'
import type { FastifyInstance } from 'fastify'
import type { PgBoss } from 'pg-boss'
import { readConfig } from '#server/main/settings.ts'
import { libraryRoutes } from '#server/files/routes.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import { openTestDatabase } from '#server/platform/db/open-test-database.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { openLog } from '#server/platform/log.ts'
import type { Pair } from '#server/inference/service.ts'
import { openFinishedTasks } from './finished-tasks.ts'
import type { PairOutcome, Predictor } from '#server/inference/service.ts'
import { openPredictionQueue, type PredictionQueue } from './queue.ts'
import type { PredictionDependencies } from './request-prediction.ts'
import { predictionRoutes } from './routes.ts'
import { endTasksOf, openPredictionStore, type PredictionStore } from './store.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import type { WaitingMax } from './waiting.ts'
import { startWorker } from './worker.ts'

export type TestPredictions = {
  app: FastifyInstance
  database: OpenDatabase
  boss: PgBoss
  queue: PredictionQueue
  store: PredictionStore
  /** How long a request waits; undefined: long for a worker that may be slow, briefly without one. */
  answerMs: number | undefined
  /** Time that passed without anybody waiting for it. */
  laterMs: number
  /** How many predictions may wait. */
  waitingMax: WaitingMax
  /** Starts a worker whose model answers like this. */
  work(predict?: (pair: Pair) => PairOutcome | Promise<PairOutcome>): WorkLoops
  /** Stops the workers, forgets their jobs and ends the tasks. */
  reset(): Promise<void>
  close(): Promise<void>
}

const MODEL_VERSION = 'test-1'
const asAtFirst = {
  answerMs: undefined,
  laterMs: 0,
  waitingMax: { perUser: 1000, inAll: 1000 },
}
const log = openLog('silent')

const now = () => new Date()

export async function openTestPredictions(): Promise<TestPredictions> {
  const database = await openTestDatabase()
  const { db } = database
  const boss = await openQueue(database, log)
  const queue = await openPredictionQueue(boss, true)
  const elapsedMs = () => performance.now() + t.laterMs
  const store = openPredictionStore({ db, queue, now, elapsedMs })
  const finishedTasks = openFinishedTasks()
  const workers = new Set<WorkLoops>()
  const wakeWorker = () => workers.forEach((worker) => worker.wake())
  const parts = {
    db,
    store,
    finishedTasks,
    creditsPerPrediction: 1,
    modelVersion: MODEL_VERSION,
    addOwnValues: async (_of: unknown, result: PredictionResult) => result,
    wakeWorker,
    now,
    elapsedMs,
    get waitingMax() {
      return t.waitingMax
    },
    get answerMs() {
      return t.answerMs ?? (workers.size > 0 ? 50_000 : 200)
    },
    lookMs: 150,
  }
  const app = await serve(parts)
  async function reset() {
    await stopAll(workers)
    Object.assign(t, asAtFirst)
    await boss.deleteAllJobs('predict')
    await store.failAbandoned()
  }
  const t: TestPredictions = {
    app,
    database,
    boss,
    queue,
    store,
    ...asAtFirst,
    work(predict = () => ({ ok: true, result: resultOf(7) })) {
      const predictor = testPredictor(predict)
      const worker = startWorker({ queue, store, predictor, finishedTasks, log, idleMs: 50 })
      workers.add(worker)
      return worker
    },
    reset,
    async close() {
      await reset()
      await app.close()
      await closeQueue(boss)
      await database.close()
    },
  }
  return t
}

async function stopAll(workers: Set<WorkLoops>): Promise<void> {
  await Promise.all([...workers].map((worker) => worker.stop()))
  workers.clear()
}

function serve(parts: PredictionDependencies): Promise<FastifyInstance> {
  const { db, now } = parts
  const config = readConfig({ RATE_LIMIT: 'off', WEB_DIR: '/nowhere' })
  const features = [
    predictionRoutes(parts),
    creditsRoutes({ db, perPrediction: 1 }),
    libraryRoutes({ db, release: (trx, going) => endTasksOf(trx, going, now) }),
  ]
  return buildApp({ config, db, log, now, features })
}

function testPredictor(predict: (pair: Pair) => PairOutcome | Promise<PairOutcome>): Predictor {
  return {
    modelVersion: MODEL_VERSION,
    threads: 1,
    predict: (pairs) => Promise.all(pairs.map(async (pair) => predict(pair))),
    predictGrid: async ({ smiles }) => smiles.map(() => null),
    close: async () => {},
  }
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
  const { id: file_id } = await db
    .insertInto('files')
    .values({
      user_id: userId,
      file_type: 'protein_pdb',
      filename: `${target}.pdb`,
      sha256: hash(target),
      size_bytes: 0,
      content: Buffer.alloc(0),
      uploaded_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
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

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
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
