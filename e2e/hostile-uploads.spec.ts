/** Files that attack the server, over real HTTP, while another user works: the files are rejected, and the user notices nothing. */
import { spawn } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from '@playwright/test'
import { uploadFile } from '@pkdex/contract'
import { signIn, type ApiUser } from './api-user.ts'
import { readCpuMs } from './cpu-time.ts'
import { hostileFiles } from './hostile-files.ts'
import { test } from './product.ts'

/** Maximum CPU time per file. */
const CPU_MS_MAX = 3000
/** Maximum time of another user's request, even on a busy machine. A file that blocked the main thread would exceed it. */
const WAIT_MS_MAX = 1000
const files = hostileFiles()

test('SPEC 14.10: hostile uploads get a clear 4xx after less than 3 s of work, while another user is served', async ({
  baseURL,
  product,
}) => {
  const hostile = await signIn(baseURL, 'hostile@example.org')
  const client = await startBackgroundClient(baseURL)
  for (const file of files) {
    const { status, ms, message } = await timed(hostile.upload(file))
    console.log(`${file.what}: ${status} in ${ms} ms: ${message}`)
    expect.soft(status, file.what).toBe(file.status)
    expect.soft(message, file.what).toMatch(file.message)
  }
  expectUndisturbed(await client.stop(), { share: 0.99 })
  // Once more without the other user, whose requests and pictures are not a file's work; nor is the start of a thread.
  for (const file of files) {
    const cpuMsBefore = readCpuMs(product.pid)
    await timed(hostile.upload(file))
    const cpuMs = readCpuMs(product.pid) - cpuMsBefore
    console.log(`${file.what}: ${cpuMs} ms of work`)
    expect.soft(cpuMs, file.what).toBeLessThan(CPU_MS_MAX)
  }
})

test('SPEC 14.10: many simultaneous hostile uploads do not delay another user', async ({
  baseURL,
}) => {
  const client = await startBackgroundClient(baseURL)
  const users = ['one', 'two', 'three'].map((name) => signIn(baseURL, `${name}@example.org`))
  const uploads = (await Promise.all(users)).flatMap((user) =>
    files.map((file) => timed(user.upload(file))),
  )
  const statuses = (await Promise.all(uploads)).map(({ status }) => status)
  expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
  expectUndisturbed(await client.stop(), { share: 0.9 })
})

for (const isAnnounced of [true, false]) {
  const how = isAnnounced ? 'announced' : 'streamed without a length'
  test(`SPEC 14.9: a body of 1 GB, ${how}, is refused before it is read`, async ({
    baseURL,
    product,
  }) => {
    const user = await signIn(baseURL, 'gigabyte@example.org')
    const cpuMsBefore = readCpuMs(product.pid)
    const { status, sentBytes } = await sendGigabyte(baseURL, user, isAnnounced)
    const cpuMs = readCpuMs(product.pid) - cpuMsBefore
    console.log(`1 GB ${how}: ${status} after ${sentBytes} bytes and ${cpuMs} ms of work`)
    expect(status).toBe(413)
    expect(cpuMs).toBeLessThan(CPU_MS_MAX)
    expect(sentBytes).toBeLessThan(200 * 1024 * 1024)
  })
}

async function timed(answer: Promise<Response>) {
  const before = performance.now()
  const { status, ...rest } = await answer.then(async (response) => ({
    status: response.status,
    body: await response.json(),
  }))
  return { status, ms: Math.round(performance.now() - before), message: String(rest.body.message) }
}

type Waits = { calls: number[]; uploads: number[]; failed: number }

async function startBackgroundClient(url: string): Promise<{ stop(): Promise<Waits> }> {
  const program = fileURLToPath(new URL('background-client.ts', import.meta.url))
  const { PATH, TMPDIR } = process.env
  const child = spawn(process.execPath, [program, url], {
    env: { PATH, TMPDIR },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const started = await lines.next()
  if (started.value !== 'ready') throw new Error('the other user could not start')
  return {
    async stop() {
      child.stdin.end()
      return JSON.parse((await lines.next()).value ?? '')
    },
  }
}

/** `share` of the requests must be fast: with every core busy with files, the machine itself delays some. */
function expectUndisturbed({ calls, uploads, failed }: Waits, { share }: { share: number }): void {
  const at = (part: number, ms = calls) =>
    Math.round(ms.toSorted((a, b) => a - b)[Math.floor((ms.length - 1) * part)] ?? NaN)
  console.log(
    `another user's ${calls.length} calls: median ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)} ms; ` +
      `${uploads.length} uploads of a structure: median ${at(0.5, uploads)}, most ${at(1, uploads)} ms`,
  )
  expect(failed).toBe(0)
  // The faster the files are rejected, the fewer requests are made meanwhile.
  expect(calls.length).toBeGreaterThan(20)
  expect(at(share)).toBeLessThan(WAIT_MS_MAX)
}

/** A client that keeps sending, and counts what the server accepted. */
function sendGigabyte(url: string, user: ApiUser, isAnnounced: boolean) {
  const boundary = 'pkdex-boundary'
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file_type"\r\n\r\ndrug_smiles\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n`,
  )
  const chunk = Buffer.alloc(1024 * 1024, 'C')
  const total = 1024 * chunk.length
  return new Promise<{ status: number; sentBytes: number }>((resolve, reject) => {
    let sentBytes = 0
    const request = httpRequest(url + uploadFile.path, {
      method: 'POST',
      headers: {
        ...user.headers,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        ...(isAnnounced ? { 'content-length': total } : {}),
      },
    })
    request.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, sentBytes })
      response.resume()
      request.destroy()
    })
    request.on('error', reject)
    request.write(head)
    function send(): void {
      while (sentBytes < total && !request.destroyed) {
        sentBytes += chunk.length
        if (!request.write(chunk)) return void request.once('drain', send)
      }
    }
    send()
  })
}
