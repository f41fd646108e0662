/** Every call of the product on a fresh database, for `app.inject`; nothing works the queues. */
import { type FileType, uploadFile } from '@pkdex/contract'
import type { LightMyRequestResponse } from 'fastify'
import { openEvidence } from '#server/evidence/service.ts'
import { openParsingWorkers } from '#server/files/parsing/service.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { closeQueue, openQueue } from '#server/platform/jobs/queue.ts'
import { openLog } from '#server/platform/log.ts'
import { openMeasurements } from '#server/measurements/service.ts'
import { openPredictions } from '#server/predictions/service.ts'
import { openScreens } from '#server/screens/service.ts'
import { openFeatures } from './composition.ts'

export type TestProduct = TestApp & {
  upload(
    headers: Record<string, string>,
    type: FileType,
    name: string,
    content: string,
  ): Promise<LightMyRequestResponse>
}

export async function openTestProduct(
  environment: Record<string, string> = {},
): Promise<TestProduct> {
  const log = openLog('silent')
  const closers: (() => Promise<void>)[] = []
  const t = await openTestApp({
    environment,
    features: async ({ config, clock, ...database }) => {
      const boss = await openQueue(database, log)
      const parsingWorkers = openParsingWorkers({ threads: 1 })
      closers.push(
        () => closeQueue(boss),
        () => parsingWorkers.close(),
      )
      const { now } = clock
      const opening = { database: database satisfies OpenDatabase, boss, log, now }
      const predictions = await openPredictions({ ...opening, config })
      const screens = await openScreens({
        ...opening,
        creditsPerPrediction: config.credits.perPrediction,
        modelVersion: predictions.modelVersion,
      })
      const { requests } = predictions
      const evidence = await openEvidence({
        predictions: requests,
        modelDirectory: config.modelDir,
      })
      closers.push(() => evidence.close())
      const measurements = openMeasurements({ database, log })
      const others = { parsingWorkers, predictions, screens, measurements, evidence }
      return openFeatures({ config, database, ...others, now })
    },
  })
  return {
    ...t,
    async upload(headers, type, name, content) {
      const form = new FormData()
      form.set('file_type', type)
      form.set('file', new Blob([content]), name)
      const request = new Request('http://localhost', { method: 'POST', body: form })
      return t.app.inject({
        method: 'POST',
        url: uploadFile.path,
        headers: { ...headers, 'content-type': request.headers.get('content-type') ?? '' },
        payload: Buffer.from(await request.arrayBuffer()),
      })
    },
    async close() {
      for (const closer of closers) await closer()
      await t.close()
    },
  }
}
