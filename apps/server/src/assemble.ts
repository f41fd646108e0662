/** Puts the process together from its parts: the database, the queue, and the features that were asked for. */
import type pino from 'pino'
import type { FastifyInstance } from 'fastify'
import { adminAuthRoutes } from './admin-auth/routes.ts'
import { adminDatabaseRoutes } from './admin-database/routes.ts'
import { adminUsersRoutes } from './admin-users/routes.ts'
import { authRoutes } from './auth/routes.ts'
import { type FirstAdministrator, makeFirstAdministrator } from './auth/first-administrator.ts'
import { openIdentityProvider } from './auth/identity-provider.ts'
import { openNonces } from './auth/nonces.ts'
import type { Config } from './config.ts'
import { creditsRoutes } from './credits/routes.ts'
import { type OpenDatabase, openDatabase } from './db/open.ts'
import { closeQueue, openQueue } from './db/queue.ts'
import { openSnapshots } from './db/snapshots.ts'
import { filesRoutes } from './files/routes.ts'
import { buildApp } from './http/build-app.ts'
import type { Feature } from './http/route.ts'
import { openPredictions, type Predictions } from './predictions/open-predictions.ts'
import { previewRoutes } from './previews/routes.ts'
import { openPreviews } from './previews/service.ts'
import { openWorkshop } from './workshop/open-workshop.ts'
import type { Workshop } from './workshop/workshop.ts'

const WORKSHOP_THREADS = 2

export type Process = {
  /** Serves the calls. Answers the administrator that was made, if this was the first start. */
  startApi(): Promise<{ app: FastifyInstance; firstAdministrator: FirstAdministrator | null }>
  /** Works the queue of predictions. */
  startWorker(): Promise<void>
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
    const boss = await openQueue(database, log)
    closers.push(() => closeQueue(boss))
    const predictions = await openPredictions({ database, boss, config, log, now })
    return {
      startApi: () => startApi({ config, database, predictions, log, now, closers }),
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

type Opened = {
  config: Config
  database: OpenDatabase
  predictions: Predictions
  log: pino.Logger
  now: () => Date
  closers: (() => Promise<void>)[]
}

async function startApi({ config, database, predictions, log, now, closers }: Opened) {
  const { db } = database
  const workshop = openWorkshop({ threads: WORKSHOP_THREADS })
  closers.push(() => workshop.close())
  const features = await openFeatures({ config, database, workshop, predictions, now })
  const app = await buildApp({ config, db, log, now, features })
  closers.push(() => app.close())
  await app.listen({ host: config.host, port: config.port })
  // Last of all: its password is printed once, which must not be lost to a port that is in use.
  const firstAdministrator = await makeFirstAdministrator(db, config.administrator, now())
  return { app, firstAdministrator }
}

type Parts = {
  config: Config
  database: OpenDatabase
  workshop: Workshop
  predictions: Predictions
  now: () => Date
}

async function openFeatures(parts: Parts): Promise<Feature[]> {
  const { config, workshop, now, predictions } = parts
  const { db } = parts.database
  const { pageCloseGraceMs, uploadBytesMax, credits } = config
  const provider = await openIdentityProvider(config.identity, db)
  const nonces = await openNonces(db)
  const snapshots = openSnapshots(parts.database)
  return [
    authRoutes({ db, provider, nonces, initialCredits: credits.initial, pageCloseGraceMs, now }),
    creditsRoutes({ db, perPrediction: credits.perPrediction }),
    filesRoutes({ db, workshop, now, uploadBytesMax }),
    previewRoutes(openPreviews({ db, workshop, now })),
    predictions.feature,
    adminAuthRoutes({ db, now }),
    adminUsersRoutes({ db, snapshots, initialCredits: credits.initial, now }),
    adminDatabaseRoutes({ db, snapshots, now }),
  ]
}
