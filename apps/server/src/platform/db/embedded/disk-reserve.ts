/**
 * Room on the disk that is held ready as a file. A write of the database that finds the disk full gets this
 * room and goes through, for the engine does not survive a write-ahead log that cannot be written. From then
 * on nothing new is accepted, until there is room again and the reserve is held anew.
 */
import { randomFillSync } from 'node:crypto'
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export const RESERVE_BYTES = 32 * 2 ** 20
const CHUNK_BYTES = 2 ** 20

export type DiskReserve = {
  isHeld(): boolean
  /** Answers whether it is held now. */
  hold(): boolean
  /** Answers whether there was something to give. */
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

/** Random, so that no file system packs it. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    const chunk = randomFillSync(Buffer.alloc(CHUNK_BYTES))
    for (let done = 0; done < RESERVE_BYTES;) done += writeSync(file, chunk)
  } finally {
    closeSync(file)
  }
}
