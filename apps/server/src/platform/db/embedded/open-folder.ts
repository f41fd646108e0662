/**
 * Opens the folder of the embedded database, making it at the first time. A folder counts only once it
 * holds the mark that it was made to the end and synced. While it is made, another mark lies beside it: what
 * a crash on the way left behind is put aside, never deleted. A folder that has neither mark is refused,
 * because to begin anew beside it would look as if everything were lost.
 */
import { existsSync, renameSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { openDurablePglite } from './durable-pglite.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { explainFolder, FolderError } from './folder-error.ts'

export const MARK = 'pkdex-made'
/** The disk takes a thousand syncs much faster when several are under way. */
const SYNCS_AT_ONCE = 16

export async function openFolder(folder: string, now: Date, reserve: DiskReserve): Promise<PGlite> {
  const isOld = isMade(folder)
  const making = `${folder}.making`
  if (!isOld) {
    if (existsSync(folder)) await putAside(folder, { making, now })
    await sync(making, 'w')
    await sync(dirname(folder))
  }
  const pglite = await openDurablePglite(folder, reserve).catch((error: unknown) => {
    throw explainFolder(dirname(folder), error)
  })
  // PGlite makes a database without syncing it. What was written since is synced anyway.
  if (!isOld) await markAsMade(folder)
  await rm(making, { force: true })
  return pglite
}

async function putAside(
  folder: string,
  { making, now }: { making: string; now: Date },
): Promise<void> {
  const isEmpty = (await readdir(folder)).length === 0
  if (!isEmpty && !existsSync(making)) {
    const message =
      `${folder} holds data, but not the file ${MARK} that says that the database in it is complete. ` +
      'Nothing was changed. If this is a copy, copy it again, whole, while pKdex is stopped; ' +
      `if only that file was lost, put an empty file ${MARK} there; to begin anew, move the folder away.`
    throw new FolderError(message, { mayPass: false })
  }
  renameSync(folder, `${folder}.unfinished-${now.getTime()}`)
}

export function isMade(folder: string): boolean {
  return existsSync(join(folder, MARK))
}

/** Once everything in it is on the disk. */
export async function markAsMade(folder: string): Promise<void> {
  await syncTree(folder)
  await sync(join(folder, MARK), 'w')
  await sync(folder)
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
