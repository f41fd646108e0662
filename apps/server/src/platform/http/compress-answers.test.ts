/** Which responses are compressed, for which clients, and which are never compressed. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import * as contract from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { chooseEncoding, holdsSecret } from './compress-answers.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { type Feature, openRoute } from './route.ts'

const base = {
  method: 'GET',
  auth: 'none',
  summary: 'For the test.',
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

const webDir = await mkdtemp(join(tmpdir(), 'pkdex-web-'))
await mkdir(join(webDir, 'assets'))
const files = { 'index.html': page, 'assets/main-abc.js': script }
for (const [name, content] of Object.entries(files)) {
  await writeFile(join(webDir, name), content)
  await writeFile(join(webDir, `${name}.br`), brotliCompressSync(content))
  await writeFile(join(webDir, `${name}.gz`), gzipSync(content))
}
await writeFile(join(webDir, 'assets/plain-abc.js'), script)
const t = await openTestApp({ features: () => [testRoutes], changes: { webDir } })
afterAll(() => t.close())

const browser = { 'accept-encoding': 'gzip, deflate, br, zstd' }

async function ask(url: string, headers: Record<string, string> = browser) {
  const { headers: answered, rawPayload } = await t.app.inject({ method: 'GET', url, headers })
  const vary = String(answered.vary ?? '').toLowerCase()
  return { encoding: answered['content-encoding'], vary, headers: answered, bytes: rawPayload }
}

test('a long response is sent as Brotli, much shorter, with Vary: Accept-Encoding', async () => {
  const { encoding, vary, headers, bytes } = await ask('/dta/long')
  expect([encoding, vary]).toEqual(['br', 'accept-encoding'])
  expect(Number(headers['content-length'])).toBe(bytes.length)
  expect(bytes.length).toBeLessThan(text.length / 10)
  expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual({ text })
})

test('a client that accepts only gzip gets gzip; one that accepts nothing gets plain text', async () => {
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
])('Accept-Encoding: %s gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test.each(['/dta/short', '/dta/secret', '/dta/events', '/dta/archive'])(
  '%s is not compressed',
  async (url) => {
    expect((await ask(url)).encoding).toBeUndefined()
  },
)

test('every response with a key, token or nonce is marked as containing a secret', () => {
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

test('client files are sent as compressed by the build', async () => {
  const file = await ask('/assets/main-abc.js')
  expect([file.encoding, file.vary]).toEqual(['br', 'accept-encoding'])
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(file.headers['content-type']).toContain('javascript')
  expect(brotliDecompressSync(file.bytes).toString()).toBe(script)
  const gzipped = await ask('/assets/main-abc.js', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(gzipped.bytes).toString()).toBe(script)
  expect((await ask('/assets/plain-abc.js')).bytes.toString()).toBe(script)
})

test('the page is compressed, revalidated each time, and sent again only if changed', async () => {
  const first = await ask('/prompt', { ...browser, accept: 'text/html' })
  expect([first.encoding, first.vary]).toEqual(['br', 'accept, accept-encoding'])
  expect(first.headers['cache-control']).toBe('no-cache')
  expect(brotliDecompressSync(first.bytes).toString()).toBe(page)
  const headers = { ...browser, accept: 'text/html', 'if-none-match': String(first.headers.etag) }
  const again = await t.app.inject({ method: 'GET', url: '/prompt', headers })
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
})
