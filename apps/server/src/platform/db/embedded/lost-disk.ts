/**
 * Ends the process if the data disk fails, turns read-only, or has no room for the engine's log. After a failed write
 * of its log the engine hangs at the next statement, with the only thread that serves requests, and the state of the
 * disk is unknown. So the process ends before it acknowledges anything more; a restart reads what is there.
 */

/** Runs `work`; if the disk fails in it, logs one sentence and ends the process. */
export function endWithoutDisk<Call extends unknown[], Done>(
  folder: string,
  work: (...call: Call) => Done,
): (...call: Call) => Done {
  return (...call) => {
    try {
      return work(...call)
    } catch (error) {
      if (isDiskLost(error)) end(folder, error)
      throw error
    }
  }
}

/** For a write of the log, or a sync, that the full disk refused when the reserve was used up. */
export function endOnFullDisk(folder: string): void {
  stop(folder, 'is full', 'Free some space: pKdex does not start before.')
}

function end(folder: string, error: unknown): void {
  const isReadOnly = codesOf(error).some((code) => readOnlyCodes.has(code))
  const what = isReadOnly ? 'became read-only' : 'has failed'
  stop(folder, what, 'Check the disk and the kernel log, then start pKdex again.')
}

function stop(folder: string, what: string, advice: string): void {
  console.error(
    `The disk of ${folder} ${what}. pKdex can no longer save data and stops. ` +
      `All acknowledged data is safe. ${advice}`,
  )
  // A normal exit would let threads continue, and the model abort.
  process.kill(process.pid, 'SIGKILL')
}

/** EROFS and EIO, as named by Node.js and numbered by Emscripten. */
const readOnlyCodes = new Set<unknown>(['EROFS', 69])
const failedCodes = new Set<unknown>(['EIO', 29])

function isDiskLost(error: unknown): boolean {
  return codesOf(error).some((code) => readOnlyCodes.has(code) || failedCodes.has(code))
}

function codesOf(error: unknown): unknown[] {
  if (typeof error !== 'object' || error === null) return []
  const { code, errno } = error as { code?: unknown; errno?: unknown }
  return [code, errno]
}
