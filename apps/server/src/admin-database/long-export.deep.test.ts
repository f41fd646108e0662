import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { streamTestZip } from '#test/read-test-zip.ts'

const ROWS = 200_000
const MEMORY_BYTES_MAX = 150 * 2 ** 20
const flags = new URL('../../node-flags.json', import.meta.url)
const script = fileURLToPath(new URL('fixtures/export-process.ts', import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'pkdex-export-'))
const filling = fork(script, ['fill', join(folder, 'data'), String(ROWS)])
const [exitCode] = await once(filling, 'exit')
if (exitCode !== 0) throw new Error('the database was not filled')
// Same flags as the product: with much memory V8 leaves 200 MB of garbage.
const execArgv = JSON.parse(await readFile(flags, 'utf8'))
const server = fork(script, ['serve', join(folder, 'data')], { execArgv })
const [ready] = await once(server, 'message')
const address = ready.address
const headers = { authorization: `Bearer ${ready.token}` }
afterAll(async () => {
  // Killed, because a server that no longer answers would keep the whole run waiting.
  server.kill('SIGKILL')
  await once(server, 'exit')
  await rm(folder, { recursive: true })
})

async function ask(question: 'how much' | 'from now'): Promise<number> {
  const answered = once(server, 'message')
  server.send(question)
  const [bytes] = await answered
  return bytes
}

const get = (path: string) => fetch(`${address}${path}`, { headers })

/** The longest time that another user's small request waits while `work` runs. */
async function longestWaitDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  void work.finally(() => (isDone = true))
  let longest = 0
  while (!isDone) {
    const started = performance.now()
    await (await get('/admin/audit?page=1')).json()
    longest = Math.max(longest, performance.now() - started)
  }
  return longest
}

test('200,000 predictions are exported within 150 MB of idle, no other request waits a third of the export’s time, and the zip contains every prediction', async () => {
  // “Idle” means a server that has already been used.
  for (let round = 0; round < 10; round++) await (await get('/admin/database/stats')).json()
  for (let round = 0; round < 300; round++) await (await get('/admin/audit?page=1')).json()
  const idle = await ask('from now')
  const path = join(folder, 'export.zip')
  const started = performance.now()
  const saving = save('/admin/database/export-all', path)
  const longestWait = await longestWaitDuring(saving)
  await saving
  const seconds = (performance.now() - started) / 1000
  const above = (await ask('how much')) - idle
  console.info(
    `export of ${ROWS} rows: ${seconds.toFixed(1)} s, ${Math.round(above / 2 ** 20)} MB above idle, ` +
      `others waited ${Math.round(longestWait)} ms at most`,
  )
  expect(above).toBeLessThan(MEMORY_BYTES_MAX)
  expect(longestWait).toBeLessThan((seconds * 1000) / 3)
  expect(await countPredictions(path)).toBe(ROWS)
}, 300_000)

async function save(url: string, path: string): Promise<void> {
  const { body } = await get(url)
  if (body === null) throw new Error(`${url} answered nothing`)
  await pipeline(
    Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(path),
  )
}

/** The number of distinct predictions in the rows. */
async function countPredictions(path: string): Promise<number> {
  const numbers = new Set<number>()
  let rest = ''
  await streamTestZip(path, (name, piece) => {
    if (name !== 'predictions_export.json') return
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{')) numbers.add(rowOf(line))
  })
  expect(rest).toBe('')
  return numbers.size
}

function rowOf(line: string): number {
  return JSON.parse(line.replace(/,$/, '')).result.row
}
