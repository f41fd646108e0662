/**
 * One process per data folder. PGlite opens a folder twice without complaint and then loses rows.
 * The lock is an open SQLite transaction: the system drops it when the process dies, even by kill -9,
 * and unlike a pid file it holds between containers that share the folder.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class FolderInUseError extends Error {
  override name = 'FolderInUseError'
}

export function lockFolder(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    throw new FolderInUseError(
      `${folder} is in use by another pKdex process. Stop that one, or give this one its own DATA_DIR.`,
      { cause: error },
    )
  }
  return { release: () => lock.close() }
}
