/**
 * Lets a user have a few calls of a kind at work at the same time. A further one waits, an upload with its
 * body unread, so that nobody can fill the memory by opening connections.
 */

/** When `gone` is aborted, a call that waits leaves the line and one at work loses its slot; both fail with its reason. */
export type UserSlots = <T>(
  userId: string,
  work: () => Promise<T>,
  gone?: AbortSignal,
) => Promise<T>

export function openUserSlots(slotsPerUser: number): UserSlots {
  const running = new Map<string, number>()
  /** In the order of their arrival. */
  const waiting = new Map<string, Set<() => void>>()

  async function take(userId: string, gone: Promise<never>): Promise<void> {
    const taken = running.get(userId) ?? 0
    if (taken < slotsPerUser) {
      running.set(userId, taken + 1)
      return
    }
    const turn = Promise.withResolvers<void>()
    const line = waiting.get(userId) ?? new Set()
    waiting.set(userId, line.add(turn.resolve))
    await Promise.race([turn.promise, gone]).catch((reason: unknown) => {
      // Its turn may have come at the same moment.
      if (!line.delete(turn.resolve)) giveBack(userId)
      throw reason
    })
  }

  /** Hands the slot to the next in line, if there is one. */
  function giveBack(userId: string): void {
    const line = waiting.get(userId)
    const [next] = line ?? []
    if (next === undefined) waiting.delete(userId)
    else {
      line?.delete(next)
      return next()
    }
    const taken = (running.get(userId) ?? 1) - 1
    if (taken > 0) running.set(userId, taken)
    else running.delete(userId)
  }

  return async (userId, work, signal) => {
    const gone = rejectionOf(signal)
    await take(userId, gone)
    try {
      return await Promise.race([gone, work()])
    } finally {
      giveBack(userId)
    }
  }
}

/** Rejects when the signal is aborted; never settles otherwise. */
function rejectionOf(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  // Where nobody is listening any more, nobody need hear of it.
  promise.catch(() => undefined)
  if (signal?.aborted) reject(signal.reason)
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}
