/**
 * A disk that fails under the open database, or turns read-only. The engine gives up at the first write of its log that
 * fails, and at the next statement runs for ever, with the one thread that answers calls; and what a failed sync has left
 * on the disk nobody knows. So the process ends there, before it acknowledges anything more: a start reads what is there.
 */

/** `work`, unless the disk fails in it: then one sentence is said and the process ends. */
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

function end(folder: string, error: unknown): void {
  const isReadOnly = codesOf(error).some((code) => readOnlyCodes.has(code))
  const what = isReadOnly ? 'has turned read-only' : 'has failed'
  console.error(
    `The disk of ${folder} ${what}, so that nothing can be stored, and pKdex ends. ` +
      'What was acknowledged until now is there. Look at the disk and its kernel log, and start again.',
  )
  // An orderly end lets threads go on, and the model's abort in it.
  process.kill(process.pid, 'SIGKILL')
}

/** EROFS and EIO, as Node.js names them and as Emscripten numbers them. */
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
