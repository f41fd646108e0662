/** Callers that repeat their requests until the end of a round; every failure that is not excused is a fault. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BrokenOff, Refused } from './spawned-server.ts'

const PAUSE_MS = 20
/** A response with Retry-After is no fault. */
const toldToWait = / answered 503 with Retry-After \d+: /

export type Excuses = {
  /** Refusals that are not faults of the product; by default those with Retry-After. */
  excused?: RegExp
  /** Every call must get a response. */
  isUncut?: boolean
}

export class Callers {
  /** How many were acknowledged. */
  calls = 0
  /** How many were excused. */
  refusals = 0
  /** The longest turn, acknowledged or refused. */
  longestMs = 0
  protected readonly faults = new Set<string>()
  readonly #excuses: Excuses

  constructor(excuses: Excuses) {
    this.#excuses = excuses
  }

  protected async repeat(turns: (() => Promise<void>)[], isOver: () => boolean): Promise<void> {
    await Promise.all(turns.map((turn) => this.#repeatOne(turn, isOver)))
  }

  async #repeatOne(turn: () => Promise<void>, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const started = performance.now()
      try {
        await turn()
        this.calls += 1
      } catch (error) {
        if (this.#isExcused(error)) this.refusals += 1
        else this.faults.add(reasonOf(error))
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - started)
      await sleep(PAUSE_MS)
    }
  }

  /** fetch throws a TypeError if there is no response; anything else is a fault of the product. */
  #isExcused(error: unknown): boolean {
    const { excused = toldToWait, isUncut = false } = this.#excuses
    // A download may be incomplete.
    if (error instanceof BrokenOff) return true
    if (error instanceof Refused) return excused.test(error.message)
    return error instanceof TypeError && !isUncut
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? String(error) : `${error}: ${reasonOf(error.cause)}`
}
