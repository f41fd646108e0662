/** Reads the features that were stored with a user's compounds at upload. */
import { type CompoundFeatures, unpackFeatures } from '@pkdex/biochem'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { contentHashOf } from './compound-records.ts'

/** Keyed by standard SMILES; compounds without features of this version are missing. */
export async function readStoredFeatures(
  db: Database,
  userId: string,
  smiles: string[],
): Promise<Map<string, CompoundFeatures>> {
  const hashes = smiles.map(contentHashOf)
  const { rows } = await sql<{ smiles: string; packed: Buffer }>`
    select standard_smiles as smiles, features as packed
    from compounds join compound_features on compound_id = compounds.id
    where content_hash = any(${hashes}::bytea[]) and user_id = ${userId}`.execute(db)
  return new Map(
    rows.flatMap(({ smiles: one, packed }): [string, CompoundFeatures][] => {
      const features = unpackFeatures(packed)
      return features === null ? [] : [[one, features]]
    }),
  )
}
