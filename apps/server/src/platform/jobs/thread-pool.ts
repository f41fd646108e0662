/**
 * Runs the tasks of one file on a few threads and replaces a thread that hangs.
 * A task counts its steps in shared memory; a step that works longer than allowed ends its thread,
 * because nothing else stops a loop inside WebAssembly.
 */
import { Piscina } from 'piscina'

/** `input` as the task takes it; `steps[0]` counts the steps begun, `steps[1]` is the expected number. */
export type TaskCall<Input> = { input: Input; steps: Int32Array }

type TaskFile = Record<string, (call: TaskCall<never>) => unknown>
type InputOf<Task> = Task extends (call: TaskCall<infer Input>) => unknown ? Input : never
type OutputOf<Task> = Task extends (...call: never[]) => infer Output ? Awaited<Output> : never

export type Outcome<Output> =
  | { kind: 'done'; output: Output }
  /** The thread hung in this step (from 1) and was ended. */
  | { kind: 'stalled'; step: number }
  /** The task threw, or its thread died, in this step (from 1; 0 before the first). */
  | { kind: 'crashed'; step: number; error: unknown }

export type ThreadPool<Tasks extends TaskFile> = {
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: InputOf<Tasks[Name]>,
    /** CPU time, as `watchSteps` counts it. */
    stepMsMax: number,
    /** `signal` ends the thread; the call then throws its reason. `steps`: the task's step counter. */
    options?: { signal?: AbortSignal; steps?: Int32Array },
  ): Promise<Outcome<OutputOf<Tasks[Name]>>>
  close(): Promise<void>
}

/** A replaced thread takes a moment to start, longer on a busy machine. */
const START_MS_MAX = 30_000
const WATCH_INTERVAL_MS = 25
/**
 * Threads give way to the one that serves requests. On Linux alone a priority belongs to a thread; elsewhere it
 * would be that of the whole process.
 */
const NICE_INCREMENT = process.platform === 'linux' ? 5 : 0
/** Weight of idle time: a thread can also hang without using the CPU. */
const IDLE_SHARE = 0.1

export function openThreadPool<Tasks extends TaskFile>(options: {
  /** Address of the TypeScript file whose exports are the tasks. */
  file: URL
  threads: number
  memoryMbMax: number
  workerData?: unknown
  /** Threads start with a task and end after this idle time; without it, all run from the start. */
  idleMs?: number
  /** How many threads `idleMs` does not end; these run from the start. */
  threadsKept?: number
}): ThreadPool<Tasks> {
  const pool = new Piscina({
    filename: options.file.href,
    minThreads: options.idleMs === undefined ? options.threads : (options.threadsKept ?? 0),
    maxThreads: options.threads,
    idleTimeout: options.idleMs ?? 0,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMbMax },
    workerData: options.workerData,
    niceIncrement: NICE_INCREMENT,
    // A waiting thread keeps its event loop, so that its module can finish loading.
    atomics: 'disabled',
  })
  // A thread that dies between tasks is replaced by the pool; its next task tells if it matters.
  pool.on('error', () => {})
  return {
    async run(name, input, stepMsMax, { signal: gone, steps = openSteps() } = {}) {
      gone?.throwIfAborted()
      const watch = watchSteps(steps, stepMsMax)
      const signal = gone === undefined ? watch.signal : AbortSignal.any([watch.signal, gone])
      try {
        const output = await pool.run({ input, steps }, { name, signal })
        return { kind: 'done', output }
      } catch (error) {
        gone?.throwIfAborted()
        const step = Atomics.load(steps, 0)
        return watch.signal.aborted ? { kind: 'stalled', step } : { kind: 'crashed', step, error }
      } finally {
        watch.end()
      }
    },
    close: () => pool.destroy(),
  }
}

/** Counts from 0, in memory that a thread shares. */
export function openSteps(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** How many steps a task expects to take; called by the task, on its thread. */
export function expectSteps(steps: Int32Array, count: number): void {
  Atomics.store(steps, 1, count)
}

/** Marks the beginning of a step; called by the task, on its thread. */
export function beginStep(steps: Int32Array): void {
  Atomics.add(steps, 0, 1)
}

/**
 * Counts CPU time of the process: on a busy machine a valid step takes many times as long. If the watch itself runs
 * late, a result may be waiting unread: one check counts two intervals at most.
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
