/** Tells a waiting request that its task has ended, if the worker runs in the same process. */

export type FinishedTasks = {
  /** Resolves when the task ends here, or after `ms`, whichever comes first. */
  wait(taskId: string, ms: number): Promise<void>
  announce(taskId: string): void
}

export function openFinishedTasks(): FinishedTasks {
  const waiting = new Map<string, Set<() => void>>()
  return {
    wait(taskId, ms) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const resolvers = waiting.get(taskId) ?? new Set()
      waiting.set(taskId, resolvers.add(resolve))
      const timer = setTimeout(resolve, ms)
      return promise.finally(() => {
        clearTimeout(timer)
        resolvers.delete(resolve)
        if (resolvers.size === 0) waiting.delete(taskId)
      })
    },
    announce(taskId) {
      for (const resolve of waiting.get(taskId) ?? []) resolve()
    },
  }
}
