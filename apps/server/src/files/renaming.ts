/** Renames files, targets and compounds; existing predictions are kept and stay free. */
import { extname } from 'node:path'
import { acceptedExtension } from '@pkdex/contract'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { notFound } from './not-found.ts'
import { readFilename, readName, stemOf } from './names.ts'
import type { Kind } from './store.ts'

export async function renameNamed(
  db: Database,
  wanted: { userId: string; kind: Kind; from: string; to: string },
): Promise<{ name: string }> {
  const { userId, kind } = wanted
  const name = usable(wanted.to)
  return inTransaction(db, async (trx) => {
    await holdLock(trx, 'fileNames', userId)
    const id = await findId(trx, wanted, wanted.from.normalize('NFC'))
    if (id === null) throw notFound(kind, wanted.from)
    const holder = await findId(trx, wanted, name)
    if (holder !== null && holder !== id) {
      throw new AppError('conflict', `You already have a ${kind.slice(0, -1)} named “${name}”.`)
    }
    await trx.updateTable(kind).set({ name }).where('id', '=', id).execute()
    return { name }
  })
}

/** Its targets and compounds keep their names. */
export async function renameFile(
  db: Database,
  { userId, fileId, to }: { userId: string; fileId: string; to: string },
): Promise<{ filename: string }> {
  const filename = readFilename(to)
  return inTransaction(db, async (trx) => {
    await holdLock(trx, 'fileNames', userId)
    const file = isUuid(fileId) ? await findFile(trx, userId, fileId) : undefined
    if (file === undefined) throw new AppError('not_found', 'File not found.')
    const { file_type } = file
    const isOriginal = stemOf(file.filename, file_type) === null
    const extension = extname(file.filename)
    const stem = isOriginal ? stemBefore(filename, extension) : stemOf(filename, file_type)
    if (stem === null) {
      const ending = isOriginal ? extension : acceptedExtension[file_type]
      throw new AppError('wrong_file_type', `The name of this file must end in ${ending}.`)
    }
    usable(stem)
    const same = await trx
      .selectFrom('files')
      .select('id')
      .where('user_id', '=', userId)
      .where('file_type', '=', file_type)
      .where('filename', '=', filename)
      .where('sha256', '=', file.sha256)
      .where('id', '<>', fileId)
      .executeTakeFirst()
    if (same !== undefined) {
      throw new AppError('conflict', `You already have this file as “${filename}”.`)
    }
    await trx.updateTable('files').set({ filename }).where('id', '=', fileId).execute()
    return { filename }
  })
}

function usable(wanted: string): string {
  const named = readName(wanted)
  if (!named.ok) throw new AppError('invalid_request', named.reason)
  return named.name
}

async function findId(
  trx: Trx,
  { userId, kind }: { userId: string; kind: Kind },
  name: string,
): Promise<string | null> {
  const found = await trx
    .selectFrom(kind)
    .select('id')
    .where('user_id', '=', userId)
    .where('name', '=', name)
    .executeTakeFirst()
  return found?.id ?? null
}

/** A table keeps its own extension. */
function stemBefore(filename: string, extension: string): string | null {
  const isKept = filename.toLowerCase().endsWith(extension.toLowerCase())
  return isKept ? filename.slice(0, filename.length - extension.length).trim() : null
}

function findFile(trx: Trx, userId: string, fileId: string) {
  return trx
    .selectFrom('files')
    .select(['file_type', 'sha256', 'filename'])
    .where('id', '=', fileId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}
