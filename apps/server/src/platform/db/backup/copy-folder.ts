/**
 * Copies the embedded database while it is in use. Queries wait meanwhile, so all files are of the same moment; open
 * transactions are rolled back when the copy is opened, as after a crash. The mark that makes a folder valid is
 * written last, so an incomplete copy never counts as a backup.
 */
import { constants } from 'node:fs'
import { cp, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { countContents } from '#server/platform/db/contents.ts'
import { isMade, MARK, markAsMade } from '#server/platform/db/embedded/open-folder.ts'
import type { OpenDatabase } from '#server/platform/db/open.ts'
import type { Saved } from './backup-requests.ts'
import { OperatorError } from '#server/platform/errors.ts'

/** Name of the database folder inside a data folder or a backup. */
const DATABASE = 'database'

export async function backUpFolder(
  { db, pool, source }: OpenDatabase,
  { dataDir, target }: { dataDir: string; target: string },
): Promise<Saved> {
  if (source.kind !== 'embedded') throw new Error('not an embedded database')
  await expectNothingAt(target)
  const copy = join(target, DATABASE)
  await mkdir(target, { recursive: true, mode: 0o700 })
  const contents = await countContents(db)
  const client = await pool.connect()
  try {
    // So that little of the write-ahead log has to be copied.
    await client.query('checkpoint')
    await source.pglite.runExclusive(() => copyFiles(join(dataDir, DATABASE), copy))
  } finally {
    client.release()
  }
  await markAsMade(copy)
  return { bytes: await sizeOf(copy), ...contents }
}

/** Restores into a data folder without a database. */
export async function restoreFolder(backup: string, dataDir: string): Promise<void> {
  const copy = join(backup, DATABASE)
  if (!isMade(copy)) {
    throw new OperatorError(`${backup} is not a complete backup of an embedded database.`)
  }
  const place = join(dataDir, DATABASE)
  await expectNothingAt(place)
  // A process that starts during the restore finds no database instead of half of one.
  const partial = `${place}.restoring`
  await expectNothingAt(partial)
  await copyFiles(copy, partial)
  await markAsMade(partial)
  await rename(partial, place)
}

async function copyFiles(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    // Instant on file systems with copy-on-write.
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
  if (isThere) throw new OperatorError(`${path} already exists. Nothing was changed.`)
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
