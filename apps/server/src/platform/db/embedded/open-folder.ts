/**
 * Opens the folder of the embedded database, creating it the first time. A folder is valid once it contains the
 * mark that its creation was completed and synced. During creation another mark exists: what a crash leaves behind
 * is moved aside, never deleted. A folder with neither mark is refused, because creating a new database would look
 * as if all data were lost.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { openDurablePglite } from './durable-pglite.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { explainFolder } from './folder-error.ts'
import { OperatorError } from '#server/platform/errors.ts'

export const MARK = 'pkdex-made'
/** Many small syncs are much faster when several run at once. */
const SYNCS_AT_ONCE = 16

export async function openFolder(folder: string, now: Date, reserve: DiskReserve): Promise<PGlite> {
  const isOld = isMade(folder)
  const making = makingOf(folder)
  if (!isOld) {
    if (existsSync(folder)) putAside(folder, now)
    await sync(making, 'w')
    await sync(dirname(folder))
  }
  const pglite = await openDurablePglite(folder, reserve).catch((error: unknown) => {
    throw explainFolder(dirname(folder), error)
  })
  // PGlite creates a database without syncing it; later writes are synced anyway.
  if (!isOld) await markAsMade(folder)
  await rm(making, { force: true })
  return pglite
}

function putAside(folder: string, now: Date): void {
  expectNoData(folder)
  renameSync(folder, `${folder}.unfinished-${now.getTime()}`)
}

/** For a folder without the mark. */
export function expectNoData(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  if (existsSync(makingOf(folder))) return
  const message =
    `${folder} contains data but not the file ${MARK}, which marks a complete database. ` +
    'Nothing was changed. If this is a copy, stop pKdex and copy the whole folder again. ' +
    'If only that file is missing, create it (empty). To start with a new database, move the folder away.'
  throw new OperatorError(message)
}

const makingOf = (folder: string) => `${folder}.making`

export function isMade(folder: string): boolean {
  return existsSync(join(folder, MARK))
}

/** Called once everything in the folder is on disk. */
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
