/**
 * One process per data folder. PGlite opens a folder twice without complaint and then loses rows. The lock is an
 * open SQLite transaction: the system drops it when the process dies, even by kill -9, and unlike a pid file it
 * works between containers that share the folder.
 */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { explainFolder } from './folder-error.ts'
import { OperatorError } from '#server/platform/errors.ts'

export function lockFolder(folder: string): { release(): void } {
  try {
    makeFolder(folder)
    // Needed because a lock can be taken on a read-only disk.
    accessSync(folder, constants.W_OK | constants.X_OK)
    return lock(folder)
  } catch (error) {
    throw isBusy(error)
      ? new OperatorError(
          `${folder} is in use by another pKdex process. Stop it, or set a different DATA_DIR.`,
          { cause: error },
        )
      : explainFolder(folder, error)
  }
}

/** Creates the folders one by one: a recursive `mkdir` of a path below `/proc/x` never ends in Node. */
function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) mkdirSync(one, { mode: 0o700 })
}

function lock(folder: string): { release(): void } {
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    file.close()
    throw error
  }
  return { release: () => file.close() }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
