/** Counts what a deletion would affect, for the confirmation dialog. */
import type { DeletionPreview, previewDeletion as previewCall } from '@pkdex/contract'
import type { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Going } from './deletion.ts'
import { notFound } from './not-found.ts'
import { findCompoundRow, findTargetRow } from './store.ts'

/** Counts other features' data about these targets or compounds; null: all data of the user. */
export type CountAffected = (
  userId: string,
  what: { kind: Going['kind']; ids: string[]; smiles: string[] } | null,
) => Promise<
  Pick<DeletionPreview, 'predictions' | 'predictions_under_way' | 'measured_values' | 'screens'>
>

type Dependencies = { db: Database; countAffected: CountAffected }
type PreviewRequest = z.output<typeof previewCall.query>

export async function previewDeletion(
  { db, countAffected }: Dependencies,
  userId: string,
  request: PreviewRequest,
): Promise<DeletionPreview> {
  const named = [request.file_id, request.target, request.compound].filter(
    (one) => one !== undefined,
  )
  if (named.length > 1) {
    throw new AppError('invalid_request', 'Name one of file_id, target and compound.')
  }
  const found = await find(db, userId, request)
  const affected = await countAffected(userId, found.affected)
  return { ...found.counts, ...affected }
}

type Counts = Pick<DeletionPreview, 'files' | 'targets' | 'compounds'>
type Found = { counts: Counts; affected: Parameters<CountAffected>[1] }

async function find(db: Database, userId: string, request: PreviewRequest): Promise<Found> {
  const { file_id: fileId, target, compound } = request
  if (fileId !== undefined) return findOfFile(db, userId, fileId)
  if (target !== undefined) {
    const row = await findTargetRow(db, userId, target.normalize('NFC'))
    if (row === null) throw notFound('targets', target)
    const affected = { kind: 'targets' as const, ids: [row.id], smiles: [] }
    return { counts: { files: 0, targets: 1, compounds: 0 }, affected }
  }
  if (compound !== undefined) {
    const row = await findCompoundRow(db, userId, compound.normalize('NFC'))
    if (row === null) throw notFound('compounds', compound)
    const affected = { kind: 'compounds' as const, ids: [row.id], smiles: [row.standard_smiles] }
    return { counts: { files: 0, targets: 0, compounds: 1 }, affected }
  }
  const count = (table: 'files' | 'targets' | 'compounds') => countOf(db, table, userId)
  const [files, targets, compounds] = [
    await count('files'),
    await count('targets'),
    await count('compounds'),
  ]
  return { counts: { files, targets, compounds }, affected: null }
}

async function findOfFile(db: Database, userId: string, fileId: string): Promise<Found> {
  const file = isUuid(fileId)
    ? await db
        .selectFrom('files')
        .select('id')
        .where('id', '=', fileId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    : undefined
  if (file === undefined) throw new AppError('not_found', 'File not found.')
  const of = { fileId: file.id }
  const targets = await db
    .selectFrom('targets')
    .select('id')
    .where('file_id', '=', of.fileId)
    .execute()
  const compounds = await db
    .selectFrom('compounds')
    .select(['id', 'standard_smiles as smiles'])
    .where('file_id', '=', of.fileId)
    .execute()
  const counts = { files: 1, targets: targets.length, compounds: compounds.length }
  const kind = targets.length > 0 ? ('targets' as const) : ('compounds' as const)
  const ids = [...targets, ...compounds].map(({ id }) => id)
  return { counts, affected: { kind, ids, smiles: compounds.map(({ smiles }) => smiles) } }
}

async function countOf(db: Database, table: 'files' | 'targets' | 'compounds', userId: string) {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}
