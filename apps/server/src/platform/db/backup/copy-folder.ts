/**
 * A copy of the embedded database while it is in use. Nobody's query runs meanwhile, so the files are of one
 * moment; what a transaction had begun is rolled back when the copy is opened, as after a crash. The mark
 * that makes a folder count is written last: a copy that was cut off is never taken for a backup.
 */
import { constants } from 'node:fs'
import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMade, MARK, markAsMade } from '#server/platform/db/embedded/open-folder.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import { BackupError } from './backup-error.ts'

/** The folder of the database within a data folder, and within a backup of one. */
const DATABASE = 'database'

/** Answers how many bytes were written. */
export async function backUpFolder(
  { pool, source }: OpenDatabase,
  { dataDir, target }: { dataDir: string; target: string },
): Promise<number> {
  if (source.kind !== 'embedded') throw new Error('not an embedded database')
  await expectNothingAt(target)
  const copy = join(target, DATABASE)
  await mkdir(target, { recursive: true, mode: 0o700 })
  const client = await pool.connect()
  try {
    // What is left to copy of the write-ahead log is little then.
    await client.query('checkpoint')
    await source.pglite.runExclusive(() => copyFiles(join(dataDir, DATABASE), copy))
  } finally {
    client.release()
  }
  await markAsMade(copy)
  return sizeOf(copy)
}

/** Into a data folder that has no database yet. */
export async function restoreFolder(backup: string, dataDir: string): Promise<void> {
  const copy = join(backup, DATABASE)
  if (!isMade(copy)) {
    throw new BackupError(`${backup} is not a whole backup of an embedded database.`)
  }
  const place = join(dataDir, DATABASE)
  await expectNothingAt(place)
  // Whoever starts before this has come to its end finds no database, rather than half of one.
  const partial = `${place}.restoring`
  await expectNothingAt(partial)
  await copyFiles(copy, partial)
  await markAsMade(partial)
  await rename(partial, place)
}

async function copyFiles(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    // A file system that can share the blocks until they change copies in no time.
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !isMark(from, path),
  })
}

const isMark = (folder: string, path: string) => path === join(folder, MARK)

export async function expectNothingAt(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (isThere) throw new BackupError(`${path} is there already. Nothing was changed.`)
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
