/** How long this process has seen each task wait, independent of any clock that can be set. */

export type SeenWaiting = ReturnType<typeof openSeenWaiting>

/** `elapsedMs`: a clock that is never set back, such as `performance.now`. */
export function openSeenWaiting(elapsedMs: () => number) {
  let firstSeen = new Map<string, number>()
  return {
    /** `waiting`: all tasks that wait now; others are forgotten. Returns those seen waiting for at least `ms`. */
    seenFor(ms: number, waiting: string[]): string[] {
      const nowMs = elapsedMs()
      firstSeen = new Map(waiting.map((id) => [id, firstSeen.get(id) ?? nowMs]))
      return waiting.filter((id) => nowMs - (firstSeen.get(id) ?? nowMs) >= ms)
    },
  }
}
