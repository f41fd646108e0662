/** The feature on a fresh database with its real queue; tests start its workers, with a model of their own. */
import type { PredictionResult } from '@pkdex/contract'
import { MODEL_VERSION, predictByGrid, predictTestGrid, resultOf } from './open-test-grid.ts'
import type { Predict, PredictGrid } from './open-test-grid.ts'
import { openTestDatabase } from './open-test-database.ts'
import { addTestScreener } from './open-test-user.ts'
import { readTestConfig } from './open-test-app.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import type { ParsingWorkers, Picture } from '#server/files/parsing/service.ts'
import { libraryRoutes } from '#server/files/routes.ts'
import { openCompoundFacts } from '#server/files/service.ts'
import { type Pair, type Predictor, readOwnValuesSettings } from '#server/inference/service.ts'
import { countValuesOf, type FindPredicted, openOwnValues } from '#server/measurements/service.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { noSignals } from '#server/platform/jobs/signals.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import { openLog } from '#server/platform/log.ts'
import type { Placer } from '#server/poses/service.ts'
import { countTasksOf, endTasksOf } from '#server/predictions/deletion.ts'
import { openFinishedTasks } from '#server/predictions/finished-tasks.ts'
import { openBestEstimates } from '#server/predictions/best-estimates.ts'
import { noStructures } from '#server/predictions/no-structures.ts'
import { orderAllMeasured } from '#server/predictions/order-measured.ts'
import { placeBlock } from '#server/predictions/place-block.ts'
import type { PairsDependencies } from '#server/predictions/predict-pairs.ts'
import { type BlockAttempt, openBlockQueue } from '#server/predictions/queue.ts'
import { predictionRoutes } from '#server/predictions/routes.ts'
import { pairsRoutes, type ScreenCalls, screenRoutes } from '#server/predictions/screen-routes.ts'
import { numberOf } from '#server/predictions/pair-number.ts'
import { openSeenWaiting } from '#server/predictions/seen-waiting.ts'
import { openOrderStore, type OrderStore } from '#server/predictions/store.ts'
import type { StructureParts } from '#server/predictions/structure-order.ts'
import { openTableReaders } from '#server/predictions/table-readers.ts'
import { startWorker } from '#server/predictions/worker.ts'

const log = openLog('silent')
const settings = readOwnValuesSettings(readTestConfig().modelDir)

export type TestPredictions = Awaited<ReturnType<typeof openTestPredictions>>

type Options = {
  creditsPerPrediction?: number
  storedBytesPerUser?: number
  tableWaitMsMax?: number
  structures?: StructureParts
  /** If given, `POST /predict` and substructure filters work. */
  parsingWorkers?: PairsDependencies['parsingWorkers'] & TestParsingWorkers
}

/** Settings that a test can change. */
type Knobs = {
  /** How long a request waits; undefined: long with a worker, which may be slow, and briefly without one. */
  answerMs: number | undefined
  /** Advances time without waiting. */
  laterMs: number
  /** How many predictions may be waiting. */
  waitingMax: { perUser: number; inAll: number }
}

const asAtFirst: Knobs = {
  answerMs: undefined,
  laterMs: 0,
  waitingMax: { perUser: 1000, inAll: 1000 },
}

export async function openTestPredictions(options: Options = {}) {
  const knobs = { ...asAtFirst }
  const engine = await openEngine(knobs, options)
  const { database, boss, queue, store, requests } = engine
  const { db } = database
  const app = await serve(database, requests, options)
  const models = openModels(engine)
  /** Stops the workers, deletes their jobs and ends the tasks. */
  async function reset(): Promise<void> {
    await models.stopWorkers()
    Object.assign(knobs, asAtFirst)
    for (const name of ['predict', 'screen-block']) await boss.deleteAllJobs(name)
    await store.failAbandoned()
  }
  return Object.assign(knobs, models, {
    app,
    database,
    db,
    boss,
    queue,
    store,
    requests,
    openTestQueue: engine.openTestQueue,
    /** The next block of either size. */
    fetchBlock: async () =>
      (await queue.fetch('small', 1))[0] ?? (await queue.fetch('large', 1))[0],
    workHeld: () => workHeld((grid) => models.work(grid)),
    reset,
    addUser: (wanted: { credits: number; targets: number; compounds: number }) =>
      addTestScreener({ app, db }, wanted),
    async close(): Promise<void> {
      await reset()
      await app.close()
      await closeQueue(boss)
      await database.close()
    },
  })
}

async function openEngine(knobs: Knobs, options: Options) {
  const database = await openTestDatabase()
  const { db } = database
  const boss = await openQueue(database, log)
  /** Does what a restart would: active jobs are queued again. */
  const openTestQueue = () => openBlockQueue(boss, true)
  const queue = await openTestQueue()
  const now = () => new Date()
  const elapsedMs = () => performance.now() + knobs.laterMs
  const seenWaiting = openSeenWaiting(elapsedMs)
  const store = openOrderStore({ db, queue, now, signals: noSignals, seenWaiting })
  const finishedTasks = openFinishedTasks()
  const workers = new Set<WorkLoops>()
  const ownValues = openOwnValues({
    database,
    parsingWorkers: options.parsingWorkers ?? noParsingWorkers,
    settings,
    findPredicted: findEveryPair,
  })
  const requests = {
    db,
    store,
    finishedTasks,
    storedBytesPerUser: options.storedBytesPerUser ?? 1e9,
    creditsPerPrediction: options.creditsPerPrediction ?? 1,
    modelVersion: MODEL_VERSION,
    best: openBestEstimates({ db, ownValues, usesPoses: true }),
    wakeWorker: () => workers.forEach((worker) => worker.wake()),
    now,
    elapsedMs,
    get waitingMax() {
      return knobs.waitingMax
    },
    get answerMs() {
      return knobs.answerMs ?? (workers.size > 0 ? 50_000 : 200)
    },
    lookMs: 150,
  }
  return { database, boss, openTestQueue, queue, store, finishedTasks, workers, requests }
}

function openModels(engine: Awaited<ReturnType<typeof openEngine>>) {
  const { database, queue, store, finishedTasks, workers, requests } = engine
  const { db } = database
  const shared = { store, finishedTasks, log, idleMs: 50 }
  function start(predictor: Pick<Predictor, 'predict' | 'predictGrid'>, version = MODEL_VERSION) {
    const worker = startWorker({
      ...shared,
      queue,
      poses: { place: unused, threads: 0 },
      predictor: { ...predictor, threads: 1, modelVersion: version },
      orderMeasuredValues: () => orderAllMeasured(requests),
    })
    workers.add(worker)
    return worker
  }
  return {
    /** Starts a worker whose model predicts grids like this, and pairs the same way. */
    work(predictGrid: PredictGrid = predictTestGrid, version = MODEL_VERSION) {
      const predict = (pairs: Pair[]) => predictByGrid(predictGrid, pairs)
      return start({ predict, predictGrid }, version)
    },
    /** Starts a worker whose model predicts pairs like this. */
    workPairs(
      predict: Predict = () => ({ ok: true, result: resultOf(7) }),
      predictGrid: PredictGrid = predictTestGrid,
    ) {
      return start({
        predict: (all) => Promise.all(all.map(async (one) => predict(one))),
        predictGrid,
      })
    },
    workPoses(
      place: Placer['place'],
      { compare = compareByLength, finishPoses = store.finishPoses } = {},
    ): void {
      const placing = { db, placer: { place, threads: 1 }, predictor: { compare } }
      const worker = startWorker({
        ...shared,
        queue,
        store: { ...store, finishPoses },
        poses: { threads: 1, place: (work) => placeBlock(placing, work) },
        predictor: {
          predict: unused,
          predictGrid: unused,
          threads: 0,
          modelVersion: MODEL_VERSION,
        },
        orderMeasuredValues: async () => undefined,
      })
      workers.add(worker)
    },
    async stopWorkers(): Promise<void> {
      await Promise.all([...workers].map((worker) => worker.stop()))
      workers.clear()
    },
  }
}

type Requests = Parameters<typeof predictionRoutes>[0]

/** Every pair counts as paid for. */
export const findEveryPair: FindPredicted = async (_userId, { smiles }) => new Set(smiles)

function serve(database: OpenDatabase, requests: Requests, options: Options) {
  const { db, now } = requests
  const { structures = noStructures, parsingWorkers } = options
  const molecules = parsingWorkers ?? noParsingWorkers
  const features = [
    predictionRoutes(requests),
    screenRoutes({
      ...requests,
      structures,
      parsingWorkers: molecules,
      tableReaders: openTableReaders(options.tableWaitMsMax),
      readFacts: openCompoundFacts({ db, parsingWorkers: molecules }),
    }),
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
  if (parsingWorkers !== undefined) features.push(pairsRoutes({ ...requests, parsingWorkers }))
  return buildApp({ config: readTestConfig(), db, log, now, features })
}

const unused = () => Promise.reject(new Error('this worker has no such lane'))

/** Compounds differ only by the length of their SMILES. */
export const compareByLength: Predictor['compare'] = async ({ smiles, anchors }) =>
  smiles.map((one) => one.length - anchors.join('').length / anchors.length)

/** Blocks remain in progress until they are released. */
function workHeld(work: (predictGrid: PredictGrid) => unknown) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  work(async (grid) => {
    begun.resolve()
    await released.promise
    return predictTestGrid(grid)
  })
  return { begun: begun.promise, release: () => released.resolve() }
}

/** Compounds differ by their width. */
function drawRectangle(smiles: string): Picture {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="150" height="80"><rect width="${smiles.length}" height="9"/></svg>`
  return { body: Buffer.from(svg), mediaType: 'image/svg+xml', alt: smiles }
}

type TestParsingWorkers = ScreenCalls['parsingWorkers'] &
  Pick<ParsingWorkers, 'readFingerprints' | 'describeCompounds' | 'checkPatterns' | 'matchPatterns'>

const noParsingWorkers: TestParsingWorkers = {
  readFingerprints: () => Promise.reject(new Error('these screens have no parsing threads')),
  matchSubstructure: () => Promise.reject(new Error('these screens have no parsing threads')),
  searchStructure: () => Promise.reject(new Error('these screens have no parsing threads')),
  writeMolblocks: () => Promise.reject(new Error('these screens have no parsing threads')),
  findCore: async () => null,
  drawCompounds: async (_, { smiles }) => smiles.map(drawRectangle),
  describeCompounds: async (_, smiles) => smiles.map(() => null),
  checkPatterns: async (_, smarts) => smarts.map(() => null),
  matchPatterns: async (_, { smiles }) => smiles.map(() => []),
}

/** Finishes a single prediction as a worker does; a null result means that it could not be predicted. */
export async function finishSingle(
  { store }: { store: OrderStore },
  attempt: BlockAttempt,
  result: PredictionResult | null,
): Promise<void> {
  const { model_version: modelVersion } = result ?? { model_version: MODEL_VERSION }
  const block = (await store.readWork([attempt.id])).get(attempt.id)
  const [sequence, compound] = [block?.targets[0]?.key, block?.rows[0]?.compoundKey]
  const pairs = result === null ? [] : [{ row: 0, place: 0, ...numberOf(result) }]
  const counted = { pairs, failed: result === null ? 1 : 0, modelVersion }
  if (sequence === undefined || compound === undefined || result === null) {
    return store.finishBlock(attempt, counted)
  }
  return store.finishBlock(attempt, {
    ...counted,
    reading: { key: { sequence, compound }, result },
  })
}

export async function jobOf({ db }: OpenDatabase, taskId: string): Promise<string> {
  const { job_id } = await db
    .selectFrom('blocks')
    .select('job_id')
    .where('order_id', '=', taskId)
    .executeTakeFirstOrThrow()
  return job_id
}
