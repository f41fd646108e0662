/** Puts the process together from its parts: the database, the queue, and the features that were asked for. */
import type pino from 'pino'
import {
  importMeasurements,
  predictPairs,
  requestPrediction,
  startScreen,
  uploadFile,
} from '@pkdex/contract'
import type { FastifyInstance } from 'fastify'
import { adminAuthRoutes } from '#server/auth/admin/routes.ts'
import { adminDatabaseRoutes } from '#server/admin-database/routes.ts'
import { adminUsersRoutes } from '#server/admin-users/routes.ts'
import { authRoutes } from '#server/auth/user/routes.ts'
import {
  type FirstAdministrator,
  makeFirstAdministrator,
} from '#server/auth/admin/administrators.ts'
import { openIdentityProvider } from '#server/auth/user/identity-provider.ts'
import { openNonces } from '#server/auth/user/nonces.ts'
import type { Config } from './settings.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { accountRoutes } from '#server/account/routes.ts'
import { removeUser } from '#server/admin-users/service.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import { type OpenDatabase, openDatabase } from '#server/platform/db/open.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { backUpFolder } from '#server/platform/db/backup/copy-folder.ts'
import { answerBackupRequests } from '#server/platform/db/backup/backup-requests.ts'
import { startRetention } from '#server/platform/db/retention.ts'
import { openSnapshots } from '#server/platform/db/snapshots.ts'
import { filesRoutes, libraryRoutes } from '#server/files/routes.ts'
import { evidenceRoutes } from '#server/evidence/routes.ts'
import { type Evidence, openEvidence } from '#server/evidence/service.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { refuseWithoutRoom } from '#server/platform/http/full-disk.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { endTasksOf, openPredictions, type Predictions } from '#server/predictions/service.ts'
import { measurementRoutes } from '#server/measurements/routes.ts'
import {
  type Measurements,
  openMeasurements,
  openOwnValues,
  openOwnValuesOfMany,
} from '#server/measurements/service.ts'
import { type Metrics, openMetrics } from '#server/platform/metrics/open-metrics.ts'
import { predictionRoutes } from '#server/predictions/routes.ts'
import { openScreens, type Screens } from '#server/screens/service.ts'
import { pairsRoutes, screenRoutes } from '#server/screens/routes.ts'
import { previewRoutes } from '#server/previews/routes.ts'
import { forgetPicturesOf, openPreviews } from '#server/previews/service.ts'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'

const PARSING_THREADS = 2

export type Process = {
  /** Serves the calls. Answers the administrator that was made, if this was the first start. */
  startApi(): Promise<{ app: FastifyInstance; firstAdministrator: FirstAdministrator | null }>
  /** Works the queues of predictions and screens. */
  startWorker(): Promise<void>
  /**
   * Lets balancers know that the process is about to end, while calls are answered as ever. False where it answers
   * none: nobody needs to know then.
   */
  announceEnd(): boolean
  /** Finishes what was begun, in the order in which the parts need each other. */
  close(): Promise<void>
}

export async function openProcess(config: Config, log: pino.Logger): Promise<Process> {
  const now = () => new Date()
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    const database = await openDatabase({ ...config, log })
    closers.push(() => database.close())
    if (database.source.kind === 'embedded') closers.push(await offerBackups(config, database, log))
    const metrics = await offerMetrics(config, database, closers)
    const boss = await openQueue(database, log)
    closers.push(() => closeQueue(boss))
    const predictions = await openPredictions({ database, boss, config, log, now })
    const { modelVersion } = predictions
    const creditsPerPrediction = config.credits.perPrediction
    const opening = { database, boss, creditsPerPrediction, modelVersion, log, now }
    const screens = await openScreens(opening)
    const measurements = openMeasurements({ database, log })
    const ending = new AbortController()
    let answersCalls = false
    const opened = {
      config,
      database,
      metrics,
      predictions,
      screens,
      measurements,
      log,
      now,
      closers,
      ending: ending.signal,
    }
    return {
      async startApi() {
        const started = await startApi(opened)
        answersCalls = true
        return started
      },
      announceEnd() {
        ending.abort()
        return answersCalls
      },
      async startWorker() {
        closers.push(() => predictions.stop())
        await predictions.startWorker((predictor) => {
          screens.startWorker(predictor)
          measurements.startWorker(predictor)
          return async () => void (await Promise.all([screens.stop(), measurements.stop()]))
        })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function offerBackups({ dataDir }: Config, database: OpenDatabase, log: pino.Logger) {
  const backUp = (target: string) => backUpFolder(database, { dataDir, target })
  const requests = await answerBackupRequests(dataDir, backUp, log)
  return () => requests.close()
}

async function offerMetrics(
  { metrics: place }: Config,
  database: OpenDatabase,
  closers: (() => Promise<void>)[],
): Promise<Metrics | null> {
  if (place === undefined) return null
  const metrics = openMetrics(database)
  const server = await metrics.serve(place)
  closers.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  return metrics
}

type Opened = {
  config: Config
  metrics: Metrics | null
  database: OpenDatabase
  predictions: Predictions
  screens: Screens
  measurements: Measurements
  log: pino.Logger
  now: () => Date
  closers: (() => Promise<void>)[]
  ending: AbortSignal
}

async function startApi(opened: Opened) {
  const { config, database, metrics, log, now, closers, ending } = opened
  const { db } = database
  const parsingWorkers = openParsingWorkers({ threads: PARSING_THREADS })
  const retention = startRetention(db, { now, log })
  closers.push(
    async () => retention.stop(),
    () => parsingWorkers.close(),
  )
  const { requests } = opened.predictions
  const evidence = await openEvidence({ predictions: requests, modelDirectory: config.modelDir })
  closers.push(() => evidence.close())
  const measured = metrics === null ? [] : [metrics.measureCalls]
  const features = [...measured, ...(await openFeatures({ ...opened, parsingWorkers, evidence }))]
  const problem = () => database.room.problem()
  const app = await buildApp({ config, db, log, now, features, problem, ending })
  closers.push(() => app.close())
  await app.listen({ host: config.host, port: config.port })
  // Last of all: its password is printed once, which must not be lost to a port that is in use.
  const firstAdministrator = await makeFirstAdministrator(db, config.administrator, now())
  return { app, firstAdministrator }
}

type Dependencies = {
  config: Config
  database: OpenDatabase
  parsingWorkers: ParsingWorkers
  predictions: Predictions
  screens: Screens
  measurements: Measurements
  evidence: Evidence
  now: () => Date
}

/** Every feature that answers calls. */
/** Calls that store more than a few rows. */
const storingCalls = [uploadFile, requestPrediction, predictPairs, startScreen, importMeasurements]

export async function openFeatures(dependencies: Dependencies): Promise<Feature[]> {
  const { config, database, parsingWorkers, now, predictions, screens } = dependencies
  const { db } = dependencies.database
  const { pageCloseGraceMs, credits, signUp } = config
  const provider = await openIdentityProvider(config.identity, db)
  const nonces = await openNonces(db)
  const snapshots = openSnapshots(dependencies.database)
  const addOwnValues = openOwnValues({ database, parsingWorkers })
  const { modelVersion } = predictions
  const { wakeWorker } = dependencies.measurements
  const firstCredits = { amount: credits.initial, note: noteFirstCredits }
  return [
    refuseWithoutRoom(dependencies.database.room, storingCalls),
    authRoutes({ db, provider, nonces, firstCredits, pageCloseGraceMs, signUp, now }),
    creditsRoutes({ db, perPrediction: credits.perPrediction }),
    filesRoutes({ ...config, db, parsingWorkers, now }),
    libraryRoutes({
      db,
      release: async (trx, going) => {
        const ended = await endTasksOf(trx, going, now)
        await forgetPicturesOf(trx, going)
        return ended
      },
    }),
    previewRoutes(openPreviews({ db, parsingWorkers, now })),
    predictionRoutes({ ...predictions.requests, addOwnValues }),
    screenRoutes({
      ...screens.requests,
      parsingWorkers,
      ownValues: openOwnValuesOfMany({ database, parsingWorkers }),
    }),
    pairsRoutes({ ...screens.requests, parsingWorkers }),
    measurementRoutes({ db, parsingWorkers, modelVersion, wakeWorker, now }),
    evidenceRoutes(dependencies.evidence),
    accountRoutes({
      db,
      // Of their own, so that users who download do not keep administrators waiting.
      snapshots: openSnapshots(dependencies.database),
      now,
      removeUser: (userId) => removeUser(db, { administrator: 'user', userId, now: now() }),
    }),
    adminAuthRoutes({ db, now }),
    adminUsersRoutes({ db, snapshots, initialCredits: credits.initial, now }),
    adminDatabaseRoutes({ db, snapshots, now }),
  ]
}
