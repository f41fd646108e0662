import { getPriority } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import type * as tasks from './fixtures/thread-tasks.ts'
import { openSteps, openThreadPool } from './thread-pool.ts'

const pool = openThreadPool<typeof tasks>({
  file: new URL('fixtures/thread-tasks.ts', import.meta.url),
  threads: 1,
  memoryMbMax: 128,
})
afterAll(() => pool.close())

async function expectHealthy() {
  expect(await pool.run('double', 21, 5000)).toEqual({ kind: 'done', output: 42 })
}

test('runs a task written in TypeScript', async () => {
  expect(await pool.run('double', 4, 5000)).toEqual({ kind: 'done', output: 8 })
})

test.runIf(process.platform === 'linux')(
  'threads have a lower priority than the thread that serves requests',
  async () => {
    const lowest = 19
    const output = Math.min(lowest, getPriority() + 5)
    expect(await pool.run('priority', null, 5000)).toEqual({ kind: 'done', output })
  },
)

test('ends a thread that hangs, names the step, and serves the next task', async () => {
  expect(await pool.run('hangAfter', 3, 200)).toEqual({ kind: 'stalled', step: 3 })
  await expectHealthy()
})

test('a task may run longer than the limit per step as long as it makes progress', async () => {
  const outcome = await pool.run('walk', { count: 12, ms: 100 }, 1000)
  expect(outcome).toEqual({ kind: 'done', output: 12 })
})

test('does not count time in which a thread was not scheduled', async () => {
  expect(await pool.run('rest', 1500, 1000)).toEqual({ kind: 'done', output: 1500 })
  expect(await pool.run('rest', 60_000, 100)).toEqual({ kind: 'stalled', step: 1 })
  await expectHealthy()
})

test('ends a cancelled task, throws the reason, and serves the next task', async () => {
  const cancel = new AbortController()
  const steps = openSteps()
  const run = pool.run('walk', { count: 600, ms: 100 }, 5000, { signal: cancel.signal, steps })
  await expect.poll(() => Atomics.load(steps, 0), { timeout: 60_000 }).toBeGreaterThan(1)
  cancel.abort(new Error('not wanted any more'))
  await expect(run).rejects.toThrow('not wanted any more')
  await expectHealthy()
})

test('rethrows errors of a task', async () => {
  const outcome = await pool.run('fail', 'broken', 1000)
  expect(outcome).toMatchObject({ kind: 'crashed', step: 1, error: { message: 'broken' } })
  await expectHealthy()
})

test('survives a thread that exits', async () => {
  expect(await pool.run('exit', null, 5000)).toMatchObject({ kind: 'crashed', step: 1 })
  await expectHealthy()
})

test('survives a thread that runs out of memory', async () => {
  expect(await pool.run('exhaustMemory', null, 15_000)).toMatchObject({ kind: 'crashed', step: 1 })
  await expectHealthy()
})
