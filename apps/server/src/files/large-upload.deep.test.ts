/** Uploads that are too large, over a real socket. */
import { afterAll, expect, test, vi } from 'vitest'
import { openRawCall } from '#test/open-raw-call.ts'
import { openTestSession } from '#test/factories.ts'
import { openTestApp } from '#test/open-test-app.ts'
import { openTestParsing } from '#test/open-test-files.ts'
import { filesRoutes } from './routes.ts'

/** Far less than the product's limit, so that the test is short. */
const STALL_MS_MAX = 1000

const parsingWorkers = openTestParsing()
/** Counts requests whose key was accepted: their handler has a place or is waiting for one. */
let begun = 0
const t = await openTestApp({
  features: ({ db, config, clock }) => [
    ({ fastify }) => fastify.addHook('preHandler', async () => void (begun += 1)),
    filesRoutes({ db, parsingWorkers, now: clock.now, ...config, stallMsMax: STALL_MS_MAX }),
  ],
})
await t.app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => t.close())

const megabyte = Buffer.alloc(1024 * 1024, 'A')
const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

const headOf = (key: string, ...headers: string[]) => [
  'POST /file_manager/upload HTTP/1.1',
  `api-key: ${key}`,
  'content-type: multipart/form-data; boundary=b',
  ...headers,
]

/** Sends until the server disconnects, or for a minute. `bytesAtAnswer`: bytes sent when the response arrived. */
async function sendForEver(key: string, length: string) {
  const { socket, answer, closed } = openRawCall(t.app, headOf(key, length))
  let bytesAtAnswer = 0
  socket.on('data', () => (bytesAtAnswer ||= socket.bytesWritten))
  const chunked = length.startsWith('transfer')
  const write = (data: Buffer) => {
    const chunk = [Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]
    return socket.write(chunked ? Buffer.concat(chunk) : data)
  }
  write(Buffer.from(part))
  const giveUpAt = performance.now() + 60_000
  while (!socket.destroyed && performance.now() < giveUpAt) {
    if (!write(megabyte)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
    }
  }
  const isHungUp = socket.destroyed
  socket.destroy()
  return { answer: answer(), bytesAtAnswer, isHungUp }
}

test.each([`content-length: ${2 ** 40}`, 'transfer-encoding: chunked'])(
  'SPEC 14.9: an endless body (%s) gets 413 early and is cut off, without being kept in memory',
  async (length) => {
    const { key } = await openTestSession(t.db)
    const memoryBefore = process.memoryUsage().rss
    const { answer, bytesAtAnswer, isHungUp } = await sendForEver(key, length)
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toContain('"code":"file_too_large"')
    expect(bytesAtAnswer).toBeLessThan(t.config.uploadBytesMax + 64 * megabyte.length)
    expect(isHungUp).toBe(true)
    expect((process.memoryUsage().rss - memoryBefore) / 2 ** 20).toBeLessThan(512)
  },
)

const kind = '--b\r\ncontent-disposition: form-data; name="file_type"\r\n\r\ndrug_smiles\r\n'
const wholeBody = `${kind}${part}CCO ethanol\r\n--b--\r\n`

/** The head of an upload and as much of its body as given. */
const beginUpload = (key: string, { length, body }: { length: number; body: string }) =>
  openRawCall(t.app, headOf(key, `content-length: ${length}`), body).socket

/** Sends a body of parts separated by `b`. */
const sendParts = (key: string, payload: string) =>
  t.app.inject({
    method: 'POST',
    url: '/file_manager/upload',
    headers: { 'api-key': key, 'content-type': 'multipart/form-data; boundary=b' },
    payload,
  })

const uploadWhole = async (key: string) => (await sendParts(key, wholeBody)).statusCode

/** Runs `send`, and waits until the server has begun as many more uploads. */
async function untilBegun<T>(count: number, send: () => T): Promise<T> {
  const before = begun
  const sent = send()
  await vi.waitFor(() => expect(begun).toBe(before + count), 50_000)
  return sent
}

/** The server side of the connections that are open now. */
function openConnections(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  t.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  return promise
}

test('abandoned uploads that wait in the queue do not block others', async () => {
  const { key } = await openTestSession(t.db)
  const slow = await untilBegun(4, () =>
    [1, 2, 3, 4].map(() => beginUpload(key, { length: 1000, body: part })),
  )
  const body = wholeBody
  const waiting = await untilBegun(4, () =>
    [1, 2, 3, 4].map(() => beginUpload(key, { length: body.length, body })),
  )
  const open = await openConnections()
  for (const socket of waiting) socket.destroy()
  await vi.waitFor(async () => expect(await openConnections()).toBe(open - 4), 50_000)
  for (const socket of slow) socket.destroy()
  expect(await uploadWhole(key)).toBe(200)
})

test('stalled uploads are cut off, and the next one is read', async () => {
  const { key } = await openTestSession(t.db)
  const stalled = await untilBegun(4, () =>
    [1, 2, 3, 4].map(() => beginUpload(key, { length: 1000, body: part })),
  )
  const closed = stalled.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  expect(await uploadWhole(key)).toBe(200)
  await Promise.all(closed)
})

test('two files in one request are distinguished from a broken upload', async () => {
  const { key } = await openTestSession(t.db)
  const answer = await sendParts(key, `${part}CCO\r\n${part}CCN\r\n--b--\r\n`)
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'Send one file per request.'])
})

test('SPEC 16.1: invalid HTTP gets the standard error body, too', async () => {
  const answer = await openRawCall(t.app, ['GET / HTTP/9.9']).closed
  const [head, body] = answer.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 400 /)
  expect(JSON.parse(body ?? '')).toMatchObject({ code: 'invalid_request' })
})

test('a body without a valid key is refused before it is read', async () => {
  const { answer } = await sendForEver('pkdex_s_nobody', 'transfer-encoding: chunked')
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
})

/** Sends the head and half of an upload, runs `meanwhile`, and sends the rest. */
async function uploadAround(key: string, meanwhile: () => Promise<void>): Promise<string> {
  const head = headOf(key, 'connection: close', `content-length: ${wholeBody.length}`)
  const { socket, closed } = await untilBegun(1, () =>
    openRawCall(t.app, head, wholeBody.slice(0, 60)),
  )
  await meanwhile()
  socket.write(wholeBody.slice(60))
  return closed
}

test('an upload whose key is revoked or user deleted meanwhile is refused and not stored', async () => {
  const { key, userId } = await openTestSession(t.db)
  expect(await uploadAround(key, async () => undefined)).toMatch(/^HTTP\/1.1 200 /)
  const revoke = async () =>
    void (await t.db.updateTable('keys').set({ revoked_at: t.clock.now() }).execute())
  expect(await uploadAround(key, revoke)).toMatch(/^HTTP\/1.1 401 /)
  const other = await openTestSession(t.db)
  const remove = async () =>
    void (await t.db.deleteFrom('users').where('id', '=', other.userId).execute())
  expect(await uploadAround(other.key, remove)).toMatch(/^HTTP\/1.1 401 /)
  const kept = t.db.selectFrom('files').select('user_id')
  const users = [userId, other.userId]
  expect(await kept.where('user_id', 'in', users).execute()).toEqual([{ user_id: userId }])
})

test('a file without a name is refused with a message', async () => {
  const { key } = await openTestSession(t.db)
  const nameless =
    '--b\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: application/octet-stream\r\n\r\nCCO\r\n--b--\r\n'
  const answer = await sendParts(key, kind + nameless)
  expect([answer.statusCode, answer.json().message]).toEqual([415, 'Only .txt files are accepted'])
})
