/** What goes over the wire compressed, for whom, and what never does. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import * as contract from '@pkdex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { chooseEncoding, holdsSecret } from './compress-answers.ts'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { type Feature, openRoute } from './route.ts'

const base = {
  method: 'GET',
  auth: 'none',
  summary: 'For the test.',
  query: z.object({}),
  body: z.undefined(),
} as const

const text = 'target '.repeat(500)
const Text = z.object({ text: z.string() })
const long = contract.endpoint({ ...base, path: '/dta/long', answer: Text })
const short = contract.endpoint({ ...base, path: '/dta/short', answer: Text })
const secret = contract.endpoint({
  ...base,
  path: '/dta/secret',
  answer: Text.extend({ api_key: z.string() }),
})

const testRoutes: Feature = (app) => {
  openRoute(app, long, async () => ({ text }))
  openRoute(app, short, async () => ({ text: 'target' }))
  openRoute(app, secret, async () => ({ text, api_key: 'pkdex_s_x' }))
  app.fastify.get('/dta/events', async (_request, reply) =>
    reply.type('text/event-stream').send(Readable.from([`data: ${text}\n\n`])),
  )
  app.fastify.get('/dta/archive', async (_request, reply) =>
    reply.type('application/zip').send(Buffer.alloc(5000)),
  )
}

const script = 'export const main = 1\n'.repeat(200)
const page = `<!doctype html><title>client</title>${'<p>shell</p>'.repeat(200)}`

let t: TestApp
beforeAll(async () => {
  const webDir = await mkdtemp(join(tmpdir(), 'pkdex-web-'))
  await mkdir(join(webDir, 'assets'))
  const files = { 'index.html': page, 'assets/main-abc.js': script }
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(webDir, name), content)
    await writeFile(join(webDir, `${name}.br`), brotliCompressSync(content))
    await writeFile(join(webDir, `${name}.gz`), gzipSync(content))
  }
  await writeFile(join(webDir, 'assets/plain-abc.js'), script)
  t = await openTestApp({ features: () => [testRoutes], environment: { WEB_DIR: webDir } })
})
afterAll(() => t.close())

const browser = { 'accept-encoding': 'gzip, deflate, br, zstd' }

async function ask(url: string, headers: Record<string, string> = browser) {
  const { headers: answered, rawPayload } = await t.app.inject({ method: 'GET', url, headers })
  const vary = String(answered.vary ?? '').toLowerCase()
  return { encoding: answered['content-encoding'], vary, headers: answered, bytes: rawPayload }
}

test('a long answer leaves as Brotli, by far shorter, and says that it depends on what is accepted', async () => {
  const { encoding, vary, headers, bytes } = await ask('/dta/long')
  expect([encoding, vary]).toEqual(['br', 'accept-encoding'])
  expect(Number(headers['content-length'])).toBe(bytes.length)
  expect(bytes.length).toBeLessThan(text.length / 10)
  expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual({ text })
})

test('a caller who knows gzip alone gets gzip, one who names nothing gets plain text', async () => {
  const gzipped = await ask('/dta/long', { 'accept-encoding': 'gzip' })
  expect(gzipped.encoding).toBe('gzip')
  expect(JSON.parse(gunzipSync(gzipped.bytes).toString())).toEqual({ text })
  const plain = await ask('/dta/long', {})
  expect([plain.encoding, plain.vary]).toEqual([undefined, 'accept-encoding'])
  expect(JSON.parse(plain.bytes.toString())).toEqual({ text })
})

test.each([
  ['gzip, br', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['identity', null],
  ['zstd', null],
  [undefined, null],
])('Accept-Encoding: %s is answered with %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test.each(['/dta/short', '/dta/secret', '/dta/events', '/dta/archive'])(
  '%s is left as it is',
  async (url) => {
    expect((await ask(url)).encoding).toBeUndefined()
  },
)

test('every call that answers a key, a token or a nonce is known as one that holds a secret', () => {
  const endpoints = Object.values(contract).filter((value) => isEndpoint(value))
  const found = endpoints.filter(({ answer }) => holdsSecret(answer)).map(({ path }) => path)
  expect(found).toEqual(
    expect.arrayContaining([
      contract.readConnectionConfig.path,
      contract.verifyGoogle.path,
      contract.requestDevelopmentToken.path,
    ]),
  )
  expect(found).not.toContain('/dta/get_compound_names')
})

function isEndpoint(value: unknown): value is contract.Endpoint {
  return typeof value === 'object' && value !== null && 'answer' in value && 'path' in value
}

test('the files of the client leave as they were compressed by the build', async () => {
  const file = await ask('/assets/main-abc.js')
  expect([file.encoding, file.vary]).toEqual(['br', 'accept-encoding'])
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(file.headers['content-type']).toContain('javascript')
  expect(brotliDecompressSync(file.bytes).toString()).toBe(script)
  const gzipped = await ask('/assets/main-abc.js', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(gzipped.bytes).toString()).toBe(script)
  expect((await ask('/assets/plain-abc.js')).bytes.toString()).toBe(script)
})

test('the page is compressed, asked about anew each time, and not sent again while it is the same', async () => {
  const first = await ask('/prompt', { ...browser, accept: 'text/html' })
  expect([first.encoding, first.vary]).toEqual(['br', 'accept, accept-encoding'])
  expect(first.headers['cache-control']).toBe('no-cache')
  expect(brotliDecompressSync(first.bytes).toString()).toBe(page)
  const headers = { ...browser, accept: 'text/html', 'if-none-match': String(first.headers.etag) }
  const again = await t.app.inject({ method: 'GET', url: '/prompt', headers })
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
})
