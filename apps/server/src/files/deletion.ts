/** Deletes files, targets and compounds with everything that depends on them; screens keep their copies. */
import type { Deletion } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import { notFound } from './not-found.ts'
import { countBytes, type Kind } from './store.ts'

/** Targets or compounds of one user that are about to be deleted. */
export type Going = { userId: string; kind: Kind; ids: string[] }

/** Deletes other features' data in the same transaction; returns the number of cancelled predictions. */
export type Release = (trx: Trx, going: Going) => Promise<number>

type Dependencies = { db: Database; release: Release }

export function deleteFile(
  dependencies: Dependencies,
  { userId, fileId }: { userId: string; fileId: string },
): Promise<Deletion> {
  return deleteTogether(dependencies, userId, async (trx) => {
    const filename = isUuid(fileId) ? await findFilename(trx, userId, fileId) : undefined
    if (filename === undefined) throw new AppError('not_found', 'File not found.')
    const targets = await idsOf(trx, 'targets', fileId)
    const compounds = await idsOf(trx, 'compounds', fileId)
    return { name: filename, fileIds: [fileId], targets, compounds }
  })
}

/** A file is deleted with its last target or compound, because otherwise it would only use storage. */
export function deleteNamed(
  dependencies: Dependencies,
  { userId, kind, name }: { userId: string; kind: Kind; name: string },
): Promise<Deletion> {
  return deleteTogether(dependencies, userId, async (trx) => {
    const found = await trx
      .selectFrom(kind)
      .select(['id', 'name', 'file_id'])
      .where('user_id', '=', userId)
      .where('name', '=', name.normalize('NFC'))
      .executeTakeFirst()
    if (found === undefined) throw notFound(kind, name)
    const isLast = await isLastOf(trx, found.file_id)
    const ids = { targets: [], compounds: [], [kind]: [found.id] }
    return { ...ids, name: found.name, fileIds: isLast ? [found.file_id] : [] }
  })
}

type Found = { name: string; fileIds: string[]; targets: string[]; compounds: string[] }

/**
 * Blocks new predictions and names of this user until the transaction ends. Predictions are ended
 * before their targets and compounds are deleted: the same lock order as a worker that finishes a task.
 */
function deleteTogether(
  { db, release }: Dependencies,
  userId: string,
  find: (trx: Trx) => Promise<Found>,
): Promise<Deletion> {
  return inTransaction(db, async (trx) => {
    await holdLock(trx, 'predictionRequests', userId)
    await holdLock(trx, 'fileNames', userId)
    const { name, fileIds, ...found } = await find(trx)
    let ended = 0
    for (const kind of ['targets', 'compounds'] as const) {
      const ids = found[kind]
      if (ids.length === 0) continue
      ended += await release(trx, { userId, kind, ids })
      // Deleting a file also deletes its rows.
      if (fileIds.length === 0) await trx.deleteFrom(kind).where('id', 'in', ids).execute()
    }
    if (fileIds.length > 0) await trx.deleteFrom('files').where('id', 'in', fileIds).execute()
    return {
      message: describe(name, ended),
      files: fileIds.length,
      targets: found.targets.length,
      compounds: found.compounds.length,
      predictions_ended: ended,
      bytes_used: await countBytes(trx, userId),
    }
  })
}

function describe(name: string, ended: number): string {
  if (ended === 0) return `${name} was deleted.`
  const predictions = ended === 1 ? 'prediction was' : 'predictions were'
  return `${name} was deleted. ${ended} running ${predictions} cancelled and refunded.`
}

async function findFilename(trx: Trx, userId: string, fileId: string) {
  const found = await trx
    .selectFrom('files')
    .select('filename')
    .where('id', '=', fileId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.filename
}

async function idsOf(trx: Trx, kind: Kind, fileId: string): Promise<string[]> {
  const rows = await trx.selectFrom(kind).select('id').where('file_id', '=', fileId).execute()
  return rows.map(({ id }) => id)
}

async function isLastOf(trx: Trx, fileId: string): Promise<boolean> {
  const { rows } = await sql`(select id from targets where file_id = ${fileId} limit 2)
    union all (select id from compounds where file_id = ${fileId} limit 2)`.execute(trx)
  return rows.length === 1
}
