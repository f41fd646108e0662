/** Explains in one sentence why a data folder cannot be used. */
import { accessSync, constants, statfsSync } from 'node:fs'
import { OperatorError } from '#server/platform/errors.ts'

/** Space an opened database needs immediately, mainly for its write-ahead log. */
const FREE_BYTES_MIN = 64 * 2 ** 20

const NOT_WRITABLE = 'is not a folder that this user can write to'

/** The engine reports every failure the same way, so we inspect the folder ourselves. */
export function explainFolder(folder: string, cause: unknown): OperatorError {
  const refusal = findRefusal(folder)
  if (refusal !== null) {
    const what = refusal === 'EROFS' ? 'is on a read-only disk' : NOT_WRITABLE
    const message = `DATA_DIR ${folder} ${what}. Nothing was changed.`
    return new OperatorError(message, { cause })
  }
  if (freeBytes(folder) < FREE_BYTES_MIN) return fullDisk(folder, cause)
  const message =
    `The database in ${folder} cannot be opened: its files are damaged or incomplete. ` +
    'They were left as they are. Move them aside and restore a backup (npm run restore).'
  return new OperatorError(message, { cause })
}

/** Fails now with a clear message rather than at the engine's first write. */
export function expectRoomToStart(folder: string): void {
  if (freeBytes(folder) < FREE_BYTES_MIN) throw fullDisk(folder, undefined)
}

function fullDisk(folder: string, cause: unknown): OperatorError {
  const message = `The disk of DATA_DIR ${folder} is full. Free some space. No saved data is lost.`
  return new OperatorError(message, { cause, mayPass: true })
}

export function isWritable(folder: string): boolean {
  return findRefusal(folder) === null
}

/** The system's error code for writing there; null if it is writable. */
function findRefusal(folder: string): string | null {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : ''
  }
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
