/**
 * Runs the tasks of one file on a few threads and replaces a thread that stands still.
 * A task counts its steps in shared memory; a step that works longer than allowed ends its thread,
 * because nothing else stops a loop inside WebAssembly.
 */
import { Piscina } from 'piscina'

/** `input` as the task takes it; `steps[0]` counts the steps it has begun. */
export type TaskCall<Input> = { input: Input; steps: Int32Array }

type TaskFile = Record<string, (call: TaskCall<never>) => unknown>
type InputOf<Task> = Task extends (call: TaskCall<infer Input>) => unknown ? Input : never
type OutputOf<Task> = Task extends (...call: never[]) => infer Output ? Awaited<Output> : never

export type Outcome<Output> =
  | { kind: 'done'; output: Output }
  /** The thread stood still in this step (from 1) and is gone. */
  | { kind: 'stalled'; step: number }
  /** The task threw, or its thread died, in this step (from 1; 0 before the first). */
  | { kind: 'crashed'; step: number; error: unknown }

export type ThreadPool<Tasks extends TaskFile> = {
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: InputOf<Tasks[Name]>,
    /** Of the processor's own time, as `watchSteps` counts it. */
    stepMsMax: number,
  ): Promise<Outcome<OutputOf<Tasks[Name]>>>
  close(): Promise<void>
}

/** A thread that was just replaced takes a moment to start, on a busy machine a long one. */
const START_MS_MAX = 30_000
const WATCH_INTERVAL_MS = 25
/** Time in which nothing worked counts for so little: a thread may also stand still without a loop. */
const IDLE_SHARE = 0.1

export function openThreadPool<Tasks extends TaskFile>(options: {
  /** Address of the TypeScript file whose exports are the tasks. */
  file: URL
  threads: number
  memoryMbMax: number
  workerData?: unknown
}): ThreadPool<Tasks> {
  const pool = new Piscina({
    filename: options.file.href,
    minThreads: options.threads,
    maxThreads: options.threads,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMbMax },
    workerData: options.workerData,
    // A waiting thread keeps its event loop, so that its module can finish loading.
    atomics: 'disabled',
  })
  // A thread that dies between tasks is replaced by the pool; its next task tells if it matters.
  pool.on('error', () => {})
  return {
    async run(name, input, stepMsMax) {
      const steps = new Int32Array(new SharedArrayBuffer(4))
      const watch = watchSteps(steps, stepMsMax)
      try {
        const output = await pool.run({ input, steps }, { name, signal: watch.signal })
        return { kind: 'done', output }
      } catch (error) {
        const step = Atomics.load(steps, 0)
        return watch.signal.aborted ? { kind: 'stalled', step } : { kind: 'crashed', step, error }
      } finally {
        watch.end()
      }
    },
    close: () => pool.destroy(),
  }
}

/** Marks the beginning of a step; called by the task, on its thread. */
export function beginStep(steps: Int32Array): void {
  Atomics.add(steps, 0, 1)
}

/**
 * Counts the time that the process has worked: on a machine that is busy with others an honest step takes many
 * times as long, and is no longer for it. Where the watch itself came late, a result may lie there unread: one look
 * counts two intervals at most.
 */
function watchSteps(steps: Int32Array, stepMsMax: number) {
  const abort = new AbortController()
  let seen = 0
  let stoodMs = 0
  let before = readClocks()
  const timer = setInterval(() => {
    const step = Atomics.load(steps, 0)
    const now = readClocks()
    const passedMs = now.clockMs - before.clockMs
    const countedMs = Math.max(now.workMs - before.workMs, passedMs * IDLE_SHARE)
    stoodMs = step === seen ? stoodMs + Math.min(countedMs, passedMs, 2 * WATCH_INTERVAL_MS) : 0
    seen = step
    before = now
    if (stoodMs > (step === 0 ? START_MS_MAX : stepMsMax)) abort.abort()
  }, WATCH_INTERVAL_MS)
  return { signal: abort.signal, end: () => clearInterval(timer) }
}

function readClocks(): { clockMs: number; workMs: number } {
  const { user, system } = process.cpuUsage()
  return { clockMs: performance.now(), workMs: (user + system) / 1000 }
}
