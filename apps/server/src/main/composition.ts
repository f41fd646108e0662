/** Assembles a process from its parts: the database, the queue, and the requested features. */
import type pino from 'pino'
import * as calls from '@pkdex/contract'
import type { Endpoint } from '@pkdex/contract'
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
import { commentRoutes } from '#server/comments/routes.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { accountRoutes } from '#server/account/routes.ts'
import { removeUser } from '#server/admin-users/service.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import { type OpenDatabase, openDatabase } from '#server/platform/db/open.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { openSignals } from '#server/platform/jobs/signals.ts'
import { backUpFolder } from '#server/platform/db/backup/copy-folder.ts'
import { answerBackupRequests } from '#server/platform/db/backup/backup-requests.ts'
import { startRetention } from '#server/platform/db/retention.ts'
import { openSnapshots } from '#server/platform/db/snapshots.ts'
import { filesRoutes, importUpload, libraryRoutes } from '#server/files/routes.ts'
import {
  chooseChain,
  openCompoundFacts,
  previewDeletion,
  readStructure,
} from '#server/files/service.ts'
import { poseRoutes } from '#server/poses/routes.ts'
import { openPoses, type Poses } from '#server/poses/service.ts'
import { nextRoutes, seriesRoutes } from '#server/series/routes.ts'
import { openSeries, type Series } from '#server/series/service.ts'
import { evidenceRoutes } from '#server/evidence/routes.ts'
import { type Evidence, openEvidence } from '#server/evidence/service.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { refuseWithoutRoom } from '#server/platform/http/full-disk.ts'
import type { Feature } from '#server/platform/http/route.ts'
import {
  countTasksOf,
  endTasksOf,
  findReadable,
  findScreen,
  openBestEstimates,
  openFindPredicted,
  openPredictions,
  openTableReaders,
  orderMeasured,
  type Predictions,
} from '#server/predictions/service.ts'
import {
  arePosesHelpful,
  readOwnValuesSettings,
  readStructureWeights,
} from '#server/inference/service.ts'
import { measurementRoutes } from '#server/measurements/routes.ts'
import { countValuesOf, importMeasurements, openOwnValues } from '#server/measurements/service.ts'
import type { Metrics } from '#server/platform/metrics/open-metrics.ts'
import { pairsRoutes, predictionRoutes, screenRoutes } from '#server/predictions/routes.ts'
import { sharingRoutes } from '#server/sharing/routes.ts'
import { previewRoutes } from '#server/previews/routes.ts'
import { forgetPicturesOf, openPreviews } from '#server/previews/service.ts'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import type { ParsingWorkers } from '#server/files/parsing/service.ts'

const PARSING_THREADS = 2

export type Process = {
  /** Serves the API. Returns the administrator that was created, if this was the first start. */
  startApi(): Promise<{ app: FastifyInstance; firstAdministrator: FirstAdministrator | null }>
  /** Works on the queue of predictions and screens. */
  startWorker(): Promise<void>
  /**
   * Tells load balancers that the process will stop soon, while requests are still served. False if it serves none.
   */
  announceEnd(): boolean
  /** Finishes work in progress, in order of dependency. */
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
    const signals = openSignals(database, log)
    closers.push(() => signals.close())
    const predictions = await openPredictions({ database, boss, signals, config, log, now })
    const ending = new AbortController()
    let answersCalls = false
    const opened = {
      config,
      database,
      metrics,
      predictions,
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
        await predictions.startWorker()
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
  // Loaded only where it is wanted, as it takes memory.
  const { openMetrics } = await import('#server/platform/metrics/open-metrics.ts')
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
  const series = openSeries({ modelDirectory: config.modelDir })
  const poses = openPoses({ db, ...config })
  closers.push(
    () => evidence.close(),
    () => series.close(),
    () => poses.close(),
  )
  const measured = metrics === null ? [] : [metrics.measureCalls]
  const features = [
    ...measured,
    ...(await openFeatures({ ...opened, parsingWorkers, evidence, series, poses })),
  ]
  const problem = () => database.room.problem()
  const app = await buildApp({ config, db, log, now, features, problem, ending })
  closers.push(() => app.close())
  await app.listen({ host: config.host, port: config.port })
  // Created last: its password is printed only once, and must not be lost because the port is in use.
  const firstAdministrator = await makeFirstAdministrator(db, config.administrator, now())
  return { app, firstAdministrator }
}

type Dependencies = {
  config: Config
  database: OpenDatabase
  parsingWorkers: ParsingWorkers
  predictions: Predictions
  evidence: Evidence
  series: Series
  poses: Poses
  now: () => Date
}

function structuresOf({ config, poses }: Pick<Dependencies, 'config' | 'poses'>) {
  return { poses, weights: readStructureWeights(config.modelDir), threads: config.workers }
}

/** Served on a full disk: signing in and out, locking somebody out, and what only computes. */
export const servedWithoutRoom: Endpoint[] = [
  calls.verifyGoogle,
  calls.beginOidc,
  calls.finishOidc,
  calls.findOidcSignOut,
  calls.requestAdminToken,
  calls.requestDevelopmentToken,
  calls.login,
  calls.logout,
  calls.logoutFiles,
  calls.adminLogout,
  calls.changeStatus,
  calls.changeAdminPassword,
  calls.quotePairs,
  calls.quoteScreen,
  calls.readSeriesTable,
  calls.findSeriesPairs,
  calls.findSeriesClusters,
  calls.enumerateSeries,
  calls.suggestNext,
  calls.judgeScore,
  calls.locateAlerts,
  calls.drawCompounds,
]

export async function openFeatures(dependencies: Dependencies): Promise<Feature[]> {
  const { config, database, parsingWorkers, now, predictions } = dependencies
  const { db } = dependencies.database
  const { credits } = config
  const provider = await openIdentityProvider(config.identity, db)
  const nonces = await openNonces(db)
  const snapshots = openSnapshots(dependencies.database)
  const ownValuesSettings = readOwnValuesSettings(config.modelDir)
  const findPredicted = openFindPredicted(predictions.requests)
  const own = { database, parsingWorkers, settings: ownValuesSettings, findPredicted }
  const tableReaders = openTableReaders()
  const ownValues = openOwnValues(own)
  const usesPoses = arePosesHelpful(config.modelDir)
  const best = openBestEstimates({ db, ownValues, usesPoses })
  const readFacts = openCompoundFacts({ db, parsingWorkers })
  const tables = { parsingWorkers, tableReaders, best, readFacts }
  const library = connectLibrary(db, now)
  const { modelVersion } = predictions
  const measuring = {
    db,
    parsingWorkers,
    modelVersion,
    ownValuesSettings,
    findPredicted,
    orderPredictions: (of: Parameters<typeof orderMeasured>[1]) =>
      orderMeasured(predictions.requests, of),
    now,
  }
  const firstCredits = { amount: credits.initial, note: noteFirstCredits }
  return [
    refuseWithoutRoom(dependencies.database.room, servedWithoutRoom),
    authRoutes({ ...config, db, provider, nonces, firstCredits, now }),
    creditsRoutes({ db, perPrediction: credits.perPrediction }),
    filesRoutes({ ...config, db, parsingWorkers, now }),
    libraryRoutes(library),
    previewRoutes(openPreviews({ db, parsingWorkers, now })),
    predictionRoutes({ ...predictions.requests, best }),
    screenRoutes({ ...predictions.requests, ...tables, structures: structuresOf(dependencies) }),
    sharingRoutes(connectSharing(dependencies, measuring)),
    commentRoutes({ db, storedBytesPerUser: config.storedBytesPerUser, now }),
    pairsRoutes({ ...predictions.requests, parsingWorkers, best }),
    measurementRoutes(measuring),
    evidenceRoutes(dependencies.evidence, best),
    seriesRoutes({
      db,
      series: dependencies.series,
      parsingWorkers,
      readFacts,
      storedBytesPerUser: config.storedBytesPerUser,
    }),
    poseRoutes(dependencies.poses),
    nextRoutes({ ...predictions.requests, tableReaders, ownValues, usesPoses }),
    accountRoutes({
      db,
      // Separate, so that downloads by users do not delay administrators.
      snapshots: openSnapshots(dependencies.database),
      poses: dependencies.poses,
      best,
      readFacts,
      now,
      removeUser: (userId) => removeUser(db, { administrator: 'user', userId, now: now() }),
    }),
    adminAuthRoutes({ db, now }),
    adminUsersRoutes({
      db,
      snapshots,
      initialCredits: credits.initial,
      previewDeletion: (userId) => previewDeletion(library, userId, {}),
      now,
    }),
    adminDatabaseRoutes({ db, snapshots, now }),
  ]
}

/** How sharing reads screens, and adds what is copied to a library. */
function connectSharing(
  { config, database: { db }, parsingWorkers, predictions, now }: Dependencies,
  measuring: Parameters<typeof measurementRoutes>[0],
): Parameters<typeof sharingRoutes>[0] {
  return {
    db,
    expectOwn: (userId, id) => findScreen(predictions.requests, userId, id),
    findReadable: (userId, id) => findReadable(predictions.requests, userId, id),
    readStructure: (userId, name) => readStructure(db, userId, name),
    keepFile: (userId, upload, gone) =>
      importUpload({ ...config, db, parsingWorkers, now }, { userId, upload, gone }),
    chooseChain: (choice) => chooseChain(db, choice),
    importValues: (userId, values, reqId) =>
      importMeasurements(measuring, userId, calls.MeasurementImport.parse(values), reqId),
  }
}

/** How other features count and delete their data about a user's files, targets and compounds. */
function connectLibrary(db: Database, now: () => Date): Parameters<typeof libraryRoutes>[0] {
  return {
    db,
    async countAffected(userId, what) {
      const tasks = await countTasksOf(db, userId, what)
      return { ...tasks, measured_values: await countValuesOf(db, userId, what) }
    },
    async release(trx, going) {
      const ended = await endTasksOf(trx, going, now)
      await forgetPicturesOf(trx, going)
      return ended
    },
  }
}
