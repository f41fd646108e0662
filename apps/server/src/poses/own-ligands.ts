/** Stores the reference ligand that a user provided for a target: one per target, deleted with it. */
import { expectBytes, holdTarget, readableBytes } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'

export type StoredLigand = {
  molfile: string
  smiles: string
  heavyAtoms: number
  /** The ligand of the structure whose coordinates it has. */
  of: string | null
}

type Owner = { userId: string; targetId: string }

export async function findOwnLigand(
  db: Database,
  { userId, targetId }: Owner,
): Promise<StoredLigand | null> {
  const found = await db
    .selectFrom('own_ligands')
    .select(['molfile', 'smiles', 'heavy_atoms as heavyAtoms', 'ligand_of as of'])
    .where('target_id', '=', targetId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found ?? null
}

/** Replaces the previous ligand, or changes nothing if the user's storage is full. */
export async function keepOwnLigand(
  db: Database,
  { storedBytesPerUser, ...owner }: Owner & { storedBytesPerUser: number },
  { molfile, smiles, heavyAtoms, of }: StoredLigand,
): Promise<void> {
  const { userId, targetId } = owner
  const ligand = { molfile, smiles, heavy_atoms: heavyAtoms, ligand_of: of, created_at: new Date() }
  await inTransaction(db, async (trx) => {
    // The same lock as for uploads, so that two at the same time cannot exceed the quota.
    await holdLock(trx, 'fileNames', userId)
    if (!(await holdTarget(trx, userId, targetId))) {
      throw new AppError('not_found', 'The target has been deleted.')
    }
    const before = await findOwnLigand(trx, owner)
    const more = molfile.length - (before?.molfile.length ?? 0)
    const refused = `This ligand (${readableBytes(more)}) was not saved.`
    if (more > 0) await expectBytes(trx, { userId, more, most: storedBytesPerUser, refused })
    await trx
      .insertInto('own_ligands')
      .values({ target_id: targetId, user_id: userId, ...ligand })
      .onConflict((conflict) => conflict.column('target_id').doUpdateSet(ligand))
      .execute()
  })
}

export async function removeOwnLigand(db: Database, { userId, targetId }: Owner): Promise<void> {
  await db
    .deleteFrom('own_ligands')
    .where('target_id', '=', targetId)
    .where('user_id', '=', userId)
    .execute()
}
