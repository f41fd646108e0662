import type { PredictionResult } from '@pkdex/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { openFinishedTasks } from './finished-tasks.ts'
import type { Predictor } from '#server/inference/service.ts'
import type { Job, PredictionQueue } from './queue.ts'
import type { PredictionStore } from './store.ts'
import type { WorkLoops } from '#server/platform/jobs/work-loops.ts'
import { startWorker } from './worker.ts'

const result: PredictionResult = {
  predicted_kd: 7.2,
  unit: 'pKd',
  interval: { lower: 5.1, upper: 9.3, level: 0.95 },
  domain: { is_inside: true, is_ligand_driven: false, reason: 'Near the training data.' },
  nearest_compound: { similarity: 0.6 },
  nearest_targets: [],
  model_version: 'test',
}

const running: WorkLoops[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()))
})

function job(id: string, smiles = 'CCO', retryCount = 0): Job {
  return { id, retryCount, pair: { segments: ['MKV'], smiles } }
}

const patience = { timeout: 50_000 }

/** A worker on a queue in memory; a pair with the SMILES `bad` cannot be predicted. */
function start(waiting: Job[], { idleMs = 5 } = {}) {
  const events: string[] = []
  const takes = vi.fn<PredictionQueue['fetch']>(async (count) => waiting.splice(0, count))
  const queue: PredictionQueue = {
    add: async () => {},
    fetch: takes,
    heartbeat: async () => {},
    finish: async () => true,
    cancel: async () => {},
    requeue: async ({ id }) => void events.push(`gave back ${id}`),
  }
  const sweeps = vi.fn<PredictionStore['failAbandoned']>(async () => [])
  const store = {
    markStarted: async (jobs: Job[]) =>
      void events.push(`started ${jobs.map(({ id }) => id).join()}`),
    succeed: vi.fn<PredictionStore['succeed']>(async ({ id }) => void events.push(`done ${id}`)),
    fail: async ({ id }: Job) => void events.push(`failed ${id}`),
    failAbandoned: sweeps,
  }
  const predictor: Predictor = {
    modelVersion: 'test',
    threads: 1,
    predict: async (pairs) =>
      pairs.map(({ smiles }) =>
        smiles === 'bad' ? { ok: false, error: new Error('bad') } : { ok: true, result },
      ),
    predictGrid: async () => [],
    close: async () => {},
  }
  const log = openLog('silent')
  const errors = vi.spyOn(log, 'error')
  const lines = vi.spyOn(log, 'info')
  const finishedTasks = openFinishedTasks()
  const worker = startWorker({ queue, store, predictor, finishedTasks, log, idleMs })
  running.push(worker)
  return { worker, events, errors, lines, takes, store, sweeps, waiting, finishedTasks }
}

test('predicts what waits as one batch and ends each task', async () => {
  const { events } = start([job('a'), job('b')])
  await vi.waitFor(() => expect(events).toEqual(['started a,b', 'done a', 'done b']), patience)
})

test('gives a pair that cannot be predicted one more try, then fails it for good', async () => {
  const { events } = start([job('a', 'bad', 0), job('b', 'bad', 1), job('c')])
  await vi.waitFor(() => {
    expect(events.slice(1)).toEqual(['gave back a', 'failed b', 'done c'])
  }, patience)
})

test('names the call that asked in every line about its task', async () => {
  const { errors, lines } = start([
    { ...job('a'), reqId: 'call-1' },
    { ...job('b', 'bad', 1), reqId: 'call-2' },
  ])
  const line = { taskId: 'a', reqId: 'call-1' }
  await vi.waitFor(() => expect(lines).toHaveBeenCalledWith(line, expect.anything()), patience)
  const failure = expect.objectContaining({ taskId: 'b', reqId: 'call-2' })
  await vi.waitFor(() => expect(errors).toHaveBeenCalledWith(failure, expect.anything()), patience)
})

test('fails a job that does not hold a pair, and no other', async () => {
  const { events } = start([{ id: 'a', retryCount: 1, pair: null }, job('b')])
  await vi.waitFor(() => expect(events.slice(1)).toEqual(['failed a', 'done b']), patience)
})

test('tells the request that waits for the task', async () => {
  const { finishedTasks, waiting, worker, events } = start([], { idleMs: 60_000 })
  // Longer than the test may last: only the end of the task can end the wait.
  const told = finishedTasks.wait('a', 2 ** 30)
  waiting.push(job('a'))
  worker.wake()
  await told
  expect(events).toContain('done a')
})

test('a job that is announced while it looks is fetched at once', async () => {
  const { takes, waiting, worker, events } = start([], { idleMs: 60_000 })
  await vi.waitFor(() => expect(takes).toHaveBeenCalled(), patience)
  waiting.push(job('a'))
  worker.wake()
  await vi.waitFor(() => expect(events).toContain('done a'), patience)
})

test('survives a database that fails, in its rounds and in its sweep', async () => {
  const { takes, sweeps, waiting, events, errors, store } = start([])
  takes.mockRejectedValueOnce(new Error('connection lost'))
  sweeps.mockRejectedValueOnce(new Error('connection lost'))
  store.succeed.mockRejectedValueOnce(new Error('connection lost'))
  waiting.push(job('a'), job('b'))
  await vi.waitFor(() => expect(events).toContain('done b'), patience)
  const messages = errors.mock.calls.map(([, message]) => message)
  expect(messages).toContain('predictions: work failed; going on')
  expect(messages).toContain('predictions: a task was not settled')
})

test('stops between two rounds', async () => {
  const { worker, takes } = start([])
  await vi.waitFor(() => expect(takes).toHaveBeenCalled(), patience)
  await worker.stop()
  const rounds = takes.mock.calls.length
  // Another worker shows that there was time for several rounds.
  const another = start([])
  await vi.waitFor(() => expect(another.takes.mock.calls.length).toBeGreaterThan(3), patience)
  expect(takes.mock.calls.length).toBe(rounds)
})
