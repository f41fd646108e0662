import type { PredictionResult } from '@pkdex/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { openLog } from '#server/platform/log.ts'
import { openFinishedTasks } from './finished-tasks.ts'
import type { Predictor } from '#server/inference/service.ts'
import type { BlockAttempt, BlockQueue } from './queue.ts'
import type { OrderStore, WorkBlock } from './store.ts'
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

type Job = BlockAttempt & { smiles: string }

function job(id: string, smiles = 'CCO', retryCount = 0): Job {
  return { id, retryCount, lane: 'small', smiles }
}

const patience = { timeout: 50_000 }

/** A worker on a queue in memory; a pair with the SMILES `bad` cannot be predicted. */
function start(waiting: Job[], { idleMs = 5 } = {}) {
  const events: string[] = []
  const known = new Map<string, Job>()
  const takes = vi.fn<BlockQueue['fetch']>(async (lane, count) => {
    const taken = lane === 'small' ? waiting.splice(0, count) : []
    for (const one of taken) known.set(one.id, one)
    return taken
  })
  const queue: BlockQueue = {
    add: async () => {},
    fetch: takes,
    heartbeat: async () => {},
    finish: async () => true,
    cancel: async () => {},
    requeue: async ({ id }) => void events.push(`gave back ${id}`),
  }
  const sweeps = vi.fn<OrderStore['failAbandoned']>(async () => [])
  const finish = vi.fn<OrderStore['finishBlock']>(
    async ({ id }, { failed }) => void events.push(`${failed > 0 ? 'failed' : 'done'} ${id}`),
  )
  const store = {
    markStarted: async (ids: string[]) => void events.push(`started ${ids.join()}`),
    readWork: async (ids: string[]) =>
      new Map(ids.map((id) => [id, toBlock(known.get(id))] as const)),
    readPoseWork: async () => null,
    finishBlock: finish,
    finishPoses: async () => {},
    failAbandoned: sweeps,
    emptyRemoved: async () => {},
  }
  const predictor: Predictor = {
    modelVersion: 'test',
    threads: 1,
    predict: async (pairs) =>
      pairs.map(({ smiles }) =>
        smiles === 'bad' ? { ok: false, error: new Error('bad') } : { ok: true, result },
      ),
    predictGrid: async () => [],
    compare: async () => [],
    close: async () => {},
  }
  const log = openLog('silent')
  const errors = vi.spyOn(log, 'error')
  const lines = vi.spyOn(log, 'info')
  const finishedTasks = openFinishedTasks()
  const worker = startWorker({
    poses: { threads: 0, place: async () => [] },
    orderMeasuredValues: async () => {},
    queue,
    store,
    predictor,
    finishedTasks,
    log,
    idleMs,
  })
  running.push(worker)
  return { worker, events, errors, lines, takes, finish, sweeps, waiting, finishedTasks }
}

function toBlock(one: Job | undefined): WorkBlock {
  const { id = '', smiles = '' } = one ?? {}
  const row = {
    row: 0,
    smiles,
    features: undefined,
    compoundKey: Buffer.alloc(8),
    known: new Set<number>(),
  }
  const targets = [{ key: Buffer.alloc(32), segments: ['MKV'] }]
  return { orderId: id, jobId: id, kind: 'single', rows: [row], targets }
}

test('predicts waiting tasks as one batch and ends each', async () => {
  const { events } = start([job('a'), job('b')])
  await vi.waitFor(() => expect(events).toEqual(['started a,b', 'done a', 'done b']), patience)
})

test('retries a pair that cannot be predicted once, then fails it', async () => {
  const { events } = start([job('a', 'bad', 0), job('b', 'bad', 1), job('c')])
  await vi.waitFor(() => {
    expect(events.slice(1)).toEqual(['gave back a', 'failed b', 'done c'])
  }, patience)
})

test('logs the request id in every line about its task', async () => {
  const { errors, lines } = start([
    { ...job('a'), reqId: 'call-1' },
    { ...job('b', 'bad', 1), reqId: 'call-2' },
  ])
  const line = expect.objectContaining({ orderId: 'a', reqId: 'call-1' })
  await vi.waitFor(() => expect(lines).toHaveBeenCalledWith(line, expect.anything()), patience)
  const failure = expect.objectContaining({ orderId: 'b', reqId: 'call-2' })
  await vi.waitFor(() => expect(errors).toHaveBeenCalledWith(failure, expect.anything()), patience)
})

test('notifies the waiting request', async () => {
  const { finishedTasks, waiting, worker, events } = start([], { idleMs: 60_000 })
  // Longer than the test can last, so that only the end of the task can end the wait.
  const told = finishedTasks.wait('a', 2 ** 30)
  waiting.push(job('a'))
  worker.wake()
  await told
  expect(events).toContain('done a')
})

test('fetches a job announced during a poll immediately', async () => {
  const { takes, waiting, worker, events } = start([], { idleMs: 60_000 })
  await vi.waitFor(() => expect(takes).toHaveBeenCalled(), patience)
  waiting.push(job('a'))
  worker.wake()
  await vi.waitFor(() => expect(events).toContain('done a'), patience)
})

test('survives a failing database, in rounds and in sweeps', async () => {
  const { takes, sweeps, waiting, events, errors, finish } = start([])
  takes.mockRejectedValueOnce(new Error('connection lost'))
  sweeps.mockRejectedValueOnce(new Error('connection lost'))
  finish.mockRejectedValueOnce(new Error('connection lost'))
  waiting.push(job('a'), job('b'))
  await vi.waitFor(() => expect(events).toContain('done b'), patience)
  const messages = errors.mock.calls.map(([, message]) => message)
  expect(messages).toContain('small blocks: work failed; going on')
  expect(messages).toContain('a block was not settled')
})

test('stops between two rounds', async () => {
  const { worker, takes } = start([])
  await vi.waitFor(() => expect(takes).toHaveBeenCalled(), patience)
  await worker.stop()
  const rounds = takes.mock.calls.length
  // Another worker shows that there was time for several more rounds.
  const another = start([])
  await vi.waitFor(() => expect(another.takes.mock.calls.length).toBeGreaterThan(3), patience)
  expect(takes.mock.calls.length).toBe(rounds)
})
