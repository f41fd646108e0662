/** One process per data folder: PGlite opens a folder twice without complaint and then loses rows. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { explainFolder } from './folder-error.ts'
import { OperatorError } from '#server/platform/errors.ts'
import { type FileLock, lockFile } from '#server/platform/file-lock.ts'

export function lockFolder(folder: string): FileLock {
  const lock = tryLock(folder)
  if (lock !== null) return lock
  throw new OperatorError(
    `${folder} is in use by another pKdex process. Stop it, or set a different DATA_DIR.`,
  )
}

function tryLock(folder: string): FileLock | null {
  try {
    makeFolder(folder)
    // Needed because a lock can be taken on a read-only disk.
    accessSync(folder, constants.W_OK | constants.X_OK)
    return lockFile(join(folder, 'lock'))
  } catch (error) {
    throw explainFolder(folder, error)
  }
}

/** Creates the folders one by one: a recursive `mkdir` of a path below `/proc/x` never ends in Node. */
function makeFolder(folder: string): void {
  const missing: string[] = []
  for (let at = resolve(folder); !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const one of missing) mkdirSync(one, { mode: 0o700 })
}
