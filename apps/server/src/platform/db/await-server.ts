/** Waits for a PostgreSQL server that is not up yet, for example when machines boot together or during a failover. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { isDatabaseOutage } from './outages.ts'

const PAUSE_MS_MIN = 500
const PAUSE_MS_MAX = 5000

type Patience = {
  /** How long to keep trying; after that the next error is thrown. */
  waitMs: number
  log: Log
  pauseMsMin?: number
}

/**
 * Tries until the server responds. Errors that waiting cannot fix, such as a wrong password, are thrown immediately.
 */
export async function awaitServer(
  ask: () => Promise<unknown>,
  { waitMs, log, pauseMsMin = PAUSE_MS_MIN }: Patience,
): Promise<void> {
  const deadline = performance.now() + waitMs
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      await ask()
      return
    } catch (error) {
      if (!isDatabaseOutage(error) || performance.now() >= deadline) throw error
      log.warn({ err: error }, 'waiting for the PostgreSQL server in DATABASE_URL')
    }
    await pause(pauseMs)
  }
}
