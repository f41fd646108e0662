/**
 * Opens the folder of the embedded database, making it at the first time. A folder counts only once it
 * holds the mark that it was made to the end and synced; one without it, left by a crash on the way, is
 * put aside, never deleted.
 */
import { existsSync, renameSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { openDurablePglite } from './durable-pglite.ts'

const MARK = 'pkdex-made'
/** The disk takes a thousand syncs much faster when several are under way. */
const SYNCS_AT_ONCE = 16

export async function openFolder(folder: string, now: Date): Promise<PGlite> {
  const mark = join(folder, MARK)
  const isMade = existsSync(mark)
  if (!isMade && existsSync(folder)) renameSync(folder, `${folder}.unfinished-${now.getTime()}`)
  const pglite = await openDurablePglite(folder)
  if (!isMade) {
    // PGlite makes a database without syncing it. What was written since is synced anyway.
    await syncTree(folder)
    await sync(mark, 'w')
    await sync(folder)
  }
  return pglite
}

async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
  const waiting = paths.values()
  const syncAll = async () => {
    for (const path of waiting) await sync(path)
  }
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, syncAll))
}

async function sync(path: string, flags: 'r' | 'w' = 'r'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
