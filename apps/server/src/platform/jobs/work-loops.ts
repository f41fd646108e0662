/**
 * Works a queue until it is stopped: as many loops as there are threads, each of which polls again immediately
 * while there is work, and one that sweeps up. Errors in one round are logged and the loop continues.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'

export type WorkLoops = {
  /** Looks for work now instead of in the next round. */
  wake(): void
  /** Finishes what it has begun, then stops. */
  stop(): Promise<void>
}

export type WorkLoopsOptions = {
  /** Whose loops these are, for the log. */
  name: string
  threads: number
  /** Polling interval of an empty queue without announced work. */
  idleMs: number
  /** Whether to look again at once. */
  workOnce: (stopped: AbortSignal) => Promise<boolean>
  sweepOnce: () => Promise<void>
  log: Pick<Log, 'error'>
}

const SWEEP_INTERVAL_MS = 5000
const AFTER_ERROR_MS = 1000

export function startWorkLoops(options: WorkLoopsOptions): WorkLoops {
  const stopped = new AbortController()
  let wakeSignal = Promise.withResolvers<void>()

  async function work(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Taken before looking: a wake meanwhile counts.
      const woken = wakeSignal.promise
      const hasMore = await runLogged('work', () => options.workOnce(stopped.signal))
      if (!hasMore) await Promise.race([woken, pause(options.idleMs)])
    }
  }

  async function sweep(): Promise<void> {
    while (!stopped.signal.aborted) {
      await runLogged('sweep', options.sweepOnce)
      await pause(SWEEP_INTERVAL_MS)
    }
  }

  async function runLogged<T>(what: string, act: () => Promise<T>): Promise<T | null> {
    try {
      return await act()
    } catch (error) {
      options.log.error({ err: error }, `${options.name}: ${what} failed; going on`)
      await pause(AFTER_ERROR_MS)
      return null
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopped.signal }).catch(() => {})
  }

  const loops = [sweep(), ...Array.from({ length: options.threads }, work)]
  return {
    wake() {
      wakeSignal.resolve()
      wakeSignal = Promise.withResolvers()
    },
    async stop() {
      stopped.abort()
      await Promise.all(loops)
    },
  }
}
