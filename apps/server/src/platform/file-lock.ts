/**
 * A file that one process holds at a time, by an open SQLite transaction: the system drops it when the process dies, even by
 * kill -9, and unlike a pid file it works between containers that share the folder.
 */
import { DatabaseSync } from 'node:sqlite'

export type FileLock = { release(): void }

/** Null if another process holds it. Throws if the file cannot be written. */
export function lockFile(path: string): FileLock | null {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
    return { release: () => file.close() }
  } catch (error) {
    file.close()
    if (isBusy(error)) return null
    throw error
  }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
