/** Uploads on a fresh database, read by real threads. */
import { uploadFile } from '@pkdex/contract'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { openParsingWorkers, type ParsingWorkers } from '#server/files/parsing/service.ts'
import { filesRoutes } from '#server/files/routes.ts'
import { openTestApp, type TestApp, type TestAppOptions } from './open-test-app.ts'

type Options = Pick<TestAppOptions, 'environment'> & { parsingWorkers: ParsingWorkers }

export function openTestFiles({ parsingWorkers, ...options }: Options): Promise<TestApp> {
  return openTestApp({
    ...options,
    features: ({ db, config, clock }) => [
      filesRoutes({ db, parsingWorkers, now: clock.now, ...config }),
    ],
  })
}

let shared: ParsingWorkers | undefined

/** A thread takes a second of processor time to start, so the test files of a process share one; closing does nothing. */
export function openTestParsing(): ParsingWorkers {
  shared ??= openParsingWorkers({ threads: 1 })
  return { ...shared, close: () => Promise.resolve() }
}

export type SentFile = {
  type?: string
  filename: string
  content: string | Buffer
  original?: { filename: string; content: string }
}

export async function uploadTo(
  app: FastifyInstance,
  headers: Record<string, string> | undefined,
  { type, filename, content, original }: SentFile,
): Promise<LightMyRequestResponse> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(Buffer.from(content))]), filename)
  if (original !== undefined) {
    form.set('original', new Blob([original.content]), original.filename)
  }
  if (type !== undefined) form.set('file_type', type)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return app.inject({
    method: 'POST',
    url: uploadFile.path,
    headers: { ...headers, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
