import { afterAll, expect, test } from 'vitest'
import type * as tasks from './fixtures/thread-tasks.ts'
import { openThreadPool } from './thread-pool.ts'

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

test('ends a thread that stands still, names the step, and serves the next task', async () => {
  expect(await pool.run('hangAfter', 3, 200)).toEqual({ kind: 'stalled', step: 3 })
  await expectHealthy()
})

test('lets a task run longer than one step may, as long as it goes on', async () => {
  const outcome = await pool.run('walk', { count: 12, ms: 100 }, 1000)
  expect(outcome).toEqual({ kind: 'done', output: 12 })
})

test('does not count time in which a thread was kept from working', async () => {
  expect(await pool.run('rest', 1500, 1000)).toEqual({ kind: 'done', output: 1500 })
  expect(await pool.run('rest', 60_000, 100)).toEqual({ kind: 'stalled', step: 1 })
  await expectHealthy()
})

test('hands back what a task throws', async () => {
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
