/**
 * Lets users take turns on a few slots, so that one user's long list does not delay others: one slot per user, users in
 * rotation, and one slot always reserved for short work.
 */

type Turn = {
  userId: string
  /** True for work that may take longer than a moment and cannot be split. */
  isLong: boolean
}

export type FairScheduler = {
  /** Runs `work` when it is this user's turn; null if the user has too much waiting work. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T> | null
}

type Waiting = Turn & { start: () => Promise<void> }

export function openFairScheduler({
  slots,
  waitingMax,
}: {
  slots: number
  waitingMax: number
}): FairScheduler {
  const longSlots = Math.max(1, slots - 1)
  /** In rotation order: the user who was served last is last. */
  const waiting = new Map<string, Waiting[]>()
  const running = new Map<string, Turn>()

  function startNext(): void {
    while (running.size < slots) {
      const next = takeNext()
      if (next === null) return
      running.set(next.userId, next)
      void next.start().finally(() => {
        running.delete(next.userId)
        moveToEnd(next.userId)
        startNext()
      })
    }
  }

  function takeNext(): Waiting | null {
    const longRunning = [...running.values()].filter((turn) => turn.isLong).length
    for (const [userId, queue] of waiting) {
      const index = longRunning < longSlots ? 0 : queue.findIndex((entry) => !entry.isLong)
      const next = running.has(userId) ? undefined : queue[index]
      if (next === undefined) continue
      queue.splice(index, 1)
      return next
    }
    return null
  }

  function moveToEnd(userId: string): void {
    const queue = waiting.get(userId)
    waiting.delete(userId)
    if (queue !== undefined && queue.length > 0) waiting.set(userId, queue)
  }

  return {
    run<T>(turn: Turn, work: () => Promise<T>) {
      const queue = waiting.get(turn.userId) ?? []
      if (queue.length >= waitingMax) return null
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      queue.push({ ...turn, start: () => work().then(resolve, reject) })
      waiting.set(turn.userId, queue)
      startNext()
      return promise
    },
  }
}
