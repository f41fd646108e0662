/** How long this process itself has seen each task wait: no clock that can be set has a say in it. */

export type SeenWaiting = ReturnType<typeof openSeenWaiting>

/** `elapsedMs`: of a clock that only ever runs on, such as `performance.now`. */
export function openSeenWaiting(elapsedMs: () => number) {
  let firstSeen = new Map<string, number>()
  return {
    /** `waiting`: all tasks that wait now; those that do not are forgotten. Answers those seen for at least `ms`. */
    seenFor(ms: number, waiting: string[]): string[] {
      const nowMs = elapsedMs()
      firstSeen = new Map(waiting.map((id) => [id, firstSeen.get(id) ?? nowMs]))
      return waiting.filter((id) => nowMs - (firstSeen.get(id) ?? nowMs) >= ms)
    },
  }
}
