// What npm start does with its process: starts it again after any end that nobody asked for, and only then.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let folder: string
let startsFile: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pkdex-keep-'))
  startsFile = join(folder, 'starts')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const starts = () => (existsSync(startsFile) ? readFileSync(startsFile, 'utf8').length : 0)

/** Keeps a program running that gets ready, notes its start, and then acts on how many there were. */
function keep({ ready = '', act }: { ready?: string; act: string }): ChildProcess {
  const file = JSON.stringify(startsFile)
  const program = `${ready}
    require('node:fs').appendFileSync(${file}, 'x')
    const starts = require('node:fs').readFileSync(${file}, 'utf8').length
    ${act}`
  const module = JSON.stringify(new URL('keep-running.mjs', import.meta.url).href)
  const keeper = `import { keepRunning } from ${module}
    const args = ['-e', ${JSON.stringify(program)}]
    process.exit(await keepRunning(process.execPath, args, { stdio: 'ignore' }, 50))`
  return spawn(process.execPath, ['--input-type=module', '-e', keeper], { stdio: 'ignore' })
}

test('a program that crashed is started again, and its end in order is the end', async () => {
  const act = `starts < 3 ? process.kill(process.pid, 'SIGSEGV') : process.exit(0)`
  const [code] = await once(keep({ act }), 'exit')
  expect(code).toBe(0)
  expect(starts()).toBe(3)
})

test('a program that an uncaught error ended is started again like one that crashed', async () => {
  const act = `if (starts < 3) throw new Error('nobody caught this'); process.exit(0)`
  const [code] = await once(keep({ act }), 'exit')
  expect(code).toBe(0)
  expect(starts()).toBe(3)
})

test('a program whose settings are refused is not started again', async () => {
  const [code] = await once(keep({ act: 'process.exit(78)' }), 'exit')
  expect(code).toBe(78)
  expect(starts()).toBe(1)
})

test('a program that keeps crashing is given up, with the code of its signal', async () => {
  const [code] = await once(keep({ act: `process.kill(process.pid, 'SIGABRT')` }), 'exit')
  expect(code).toBe(128 + 6)
  expect(starts()).toBe(6)
})

test('a program that cannot start for a reason of its own is given up, with its code', async () => {
  const [code] = await once(keep({ act: 'process.exit(7)' }), 'exit')
  expect(code).toBe(7)
  expect(starts()).toBe(6)
})

test('told to stop, the program ends in order and is not started again', async () => {
  const ready = `process.on('SIGTERM', () => process.exit(0))`
  const keeper = keep({ ready, act: 'setInterval(() => {}, 1000)' })
  const ended = once(keeper, 'exit')
  await vi.waitFor(() => expect(starts()).toBe(1), { timeout: 20_000 })
  keeper.kill('SIGTERM')
  expect((await ended)[0]).toBe(0)
  expect(starts()).toBe(1)
})
