/** A start before the database's: machines that boot together, or a failover, are no reason to give up. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#server/platform/log.ts'
import { isDatabaseOutage } from './outages.ts'

const PAUSE_MS_MIN = 500
const PAUSE_MS_MAX = 5000

type Patience = {
  /** How long to go on asking; the next error after it is thrown. */
  waitMs: number
  log: Log
  pauseMsMin?: number
}

/** Asks until the server answers. What waiting would not mend, as a wrong password, is thrown at once. */
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
      log.warn({ err: error }, 'The PostgreSQL server of DATABASE_URL does not answer yet: waiting')
    }
    await pause(pauseMs)
  }
}
