/** Every endpoint of the product on a fresh or given database, for `app.inject`; no worker runs. */
import type { FileType } from '@pkdex/contract'
import type { LightMyRequestResponse } from 'fastify'
import { openEvidence } from '#server/evidence/service.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { openTestParsing, uploadTo } from './open-test-files.ts'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { noSignals } from '#server/platform/jobs/signals.ts'
import { openLog } from '#server/platform/log.ts'
import { openPredictions } from '#server/predictions/service.ts'
import { openPoses } from '#server/poses/service.ts'
import { openSeries } from '#server/series/service.ts'
import { openFeatures } from '#server/main/composition.ts'

export type TestProduct = TestApp & {
  upload(
    headers: Record<string, string>,
    type: FileType,
    name: string,
    content: string,
  ): Promise<LightMyRequestResponse>
  /** Starts a worker with the shipped model. */
  startWorker(): Promise<void>
}

export async function openTestProduct(
  environment: Record<string, string> = {},
  given?: OpenDatabase,
): Promise<TestProduct> {
  const log = openLog('silent')
  const closers: (() => Promise<void>)[] = []
  let startWorker = () => Promise.resolve()
  const t = await openTestApp({
    environment,
    ...(given && { database: given }),
    features: async ({ config, clock, ...database }) => {
      const boss = await openQueue(database, log)
      const parsingWorkers = openTestParsing()
      closers.push(() => closeQueue(boss))
      const { now } = clock
      const opening = { database: database satisfies OpenDatabase, boss, log, now }
      const signals = noSignals
      const predictions = await openPredictions({ ...opening, signals, config })
      const { requests } = predictions
      startWorker = () => predictions.startWorker()
      closers.unshift(() => predictions.stop())
      const evidence = await openEvidence({
        predictions: requests,
        modelDirectory: config.modelDir,
      })
      const series = openSeries({ modelDirectory: config.modelDir })
      const poses = openPoses({ db: database.db, ...config })
      closers.push(
        () => evidence.close(),
        () => series.close(),
        () => poses.close(),
      )
      const others = { parsingWorkers, predictions, evidence, series, poses }
      return openFeatures({ config, database, ...others, now })
    },
  })
  return {
    ...t,
    startWorker: () => startWorker(),
    upload: (headers, type, filename, content) =>
      uploadTo(t.app, headers, { type, filename, content }),
    async close() {
      for (const closer of closers) await closer()
      await t.close()
    },
  }
}
