/**
 * Lets a user have a few calls of a kind at work at the same time. A further one waits, an upload with its
 * body unread, so that nobody can fill the memory by opening connections.
 */

export type UserSlots = <T>(userId: string, work: () => Promise<T>) => Promise<T>

export function openUserSlots(slotsPerUser: number): UserSlots {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  async function take(userId: string): Promise<void> {
    const taken = running.get(userId) ?? 0
    if (taken < slotsPerUser) {
      running.set(userId, taken + 1)
      return
    }
    await new Promise<void>((resolve) => {
      waiting.set(userId, [...(waiting.get(userId) ?? []), resolve])
    })
  }

  /** Hands the slot to the next in line, if there is one. */
  function giveBack(userId: string): void {
    const [next, ...others] = waiting.get(userId) ?? []
    if (others.length > 0) waiting.set(userId, others)
    else waiting.delete(userId)
    if (next) return next()
    const taken = (running.get(userId) ?? 1) - 1
    if (taken > 0) running.set(userId, taken)
    else running.delete(userId)
  }

  return async (userId, work) => {
    await take(userId)
    try {
      return await work()
    } finally {
      giveBack(userId)
    }
  }
}
