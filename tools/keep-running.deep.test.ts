// npm start restarts its process after any unexpected end, and only then.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pauseAfter } from './keep-running.mjs'

let folder: string
let startsFile: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pkdex-keep-'))
  startsFile = join(folder, 'starts')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const starts = () => (existsSync(startsFile) ? readFileSync(startsFile, 'utf8').length : 0)

/** Keeps a program running that records each start and then acts on their number. */
function keep({
  ready = '',
  act,
  pauseMs = 50,
}: {
  ready?: string
  act: string
  pauseMs?: number
}): ChildProcess {
  const file = JSON.stringify(startsFile)
  const program = `${ready}
    require('node:fs').appendFileSync(${file}, 'x')
    const starts = require('node:fs').readFileSync(${file}, 'utf8').length
    ${act}`
  const module = JSON.stringify(new URL('keep-running.mjs', import.meta.url).href)
  const keeper = `import { keepRunning } from ${module}
    const args = ['-e', ${JSON.stringify(program)}]
    process.exit(await keepRunning(process.execPath, args, { stdio: 'ignore' }, ${pauseMs}))`
  return spawn(process.execPath, ['--input-type=module', '-e', keeper], { stdio: 'ignore' })
}

test('SPEC 27.6: a crashed program is restarted, and one that exits normally is not', async () => {
  const act = `starts < 3 ? process.kill(process.pid, 'SIGSEGV') : process.exit(0)`
  const [code] = await once(keep({ act }), 'exit')
  expect(code).toBe(0)
  expect(starts()).toBe(3)
})

test('a program that ends with an uncaught error is restarted like one that crashed', async () => {
  const act = `if (starts < 3) throw new Error('nobody caught this'); process.exit(0)`
  const [code] = await once(keep({ act }), 'exit')
  expect(code).toBe(0)
  expect(starts()).toBe(3)
})

test('a program with invalid settings is not restarted', async () => {
  const [code] = await once(keep({ act: 'process.exit(78)' }), 'exit')
  expect(code).toBe(78)
  expect(starts()).toBe(1)
})

test('a program that keeps crashing is always restarted, and runs once the cause is gone', async () => {
  const act = `if (starts < 9) process.kill(process.pid, 'SIGABRT'); process.exit(0)`
  const [code] = await once(keep({ act, pauseMs: 5 }), 'exit')
  expect(code).toBe(0)
  expect(starts()).toBe(9)
})

test('each pause is twice as long as the previous one, up to a minute', () => {
  const pauses = Array.from({ length: 9 }, (_, at) => pauseAfter(at + 1, 1000))
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('a stop signal during a pause prevents the restart', async () => {
  const keeper = keep({ act: 'process.exit(7)', pauseMs: 30_000 })
  const ended = once(keeper, 'exit')
  await vi.waitFor(() => expect(starts()).toBe(1), { timeout: 20_000 })
  await new Promise((resolve) => setTimeout(resolve, 300))
  keeper.kill('SIGTERM')
  await ended
  expect(starts()).toBe(1)
})

test('after a stop signal the program shuts down cleanly and is not restarted', async () => {
  const ready = `process.on('SIGTERM', () => process.exit(0))`
  const keeper = keep({ ready, act: 'setInterval(() => {}, 1000)' })
  const ended = once(keeper, 'exit')
  await vi.waitFor(() => expect(starts()).toBe(1), { timeout: 20_000 })
  keeper.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  expect(starts()).toBe(1)
})

test('a program ended by the signal it was sent counts as shut down cleanly', async () => {
  const [code] = await once(keep({ act: `process.kill(process.pid, 'SIGTERM')` }), 'exit')
  expect(code).toBe(0)
  expect(starts()).toBe(1)
})
