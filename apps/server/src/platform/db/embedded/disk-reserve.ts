/**
 * A file that reserves disk space. If a database write finds the disk full, the file is released and the write
 * succeeds, because the engine does not survive a failed write of its write-ahead log. Then nothing new is
 * accepted until the reserve can be created again.
 */
import { randomFillSync } from 'node:crypto'
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export const RESERVE_BYTES = 32 * 2 ** 20
const CHUNK_BYTES = 2 ** 20

export type DiskReserve = {
  isHeld(): boolean
  /** Returns whether the reserve is in place now. */
  hold(): boolean
  /** Returns whether there was a reserve to release. */
  release(): boolean
}

export function openDiskReserve(folder: string): DiskReserve {
  const path = join(folder, 'reserve')
  const partial = `${path}.part`
  let isHeld = existsSync(path)
  return {
    isHeld: () => isHeld,
    hold() {
      if (isHeld) return true
      try {
        fill(partial)
        renameSync(partial, path)
        isHeld = true
      } catch {
        rmSync(partial, { force: true })
      }
      return isHeld
    },
    release() {
      if (!isHeld) return false
      isHeld = false
      rmSync(path, { force: true })
      return true
    },
  }
}

/** Random content, so no file system compresses it. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    const chunk = randomFillSync(Buffer.alloc(CHUNK_BYTES))
    for (let done = 0; done < RESERVE_BYTES;) done += writeSync(file, chunk)
  } finally {
    closeSync(file)
  }
}
