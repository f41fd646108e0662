/** Reads own values, and adds descriptors to those that were stored before descriptors were used. */
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { readPacked } from './fingerprints.ts'
import { isWithoutDescriptors } from './own-values.ts'
import { keepFingerprint, type Predicted, type PredictedOf, readPredicted } from './store.ts'

type Dependencies = { db: Database; parsingWorkers: Pick<ParsingWorkers, 'readFingerprints'> }

/** Values whose molecule can no longer be read are left out. */
export async function readDescribed(
  { db, parsingWorkers }: Dependencies,
  of: PredictedOf,
): Promise<Predicted[]> {
  const rows = await readPredicted(db, of)
  const bare = rows.filter(isWithoutDescriptors)
  if (bare.length === 0) return rows
  const smiles = bare.map((row) => row.smiles)
  const read = await readPacked(parsingWorkers, of.userId, smiles)
  for (const row of bare) {
    const packed = read.get(row.smiles)
    if (packed === undefined) continue
    row.fingerprint = packed
    await keepFingerprint(db, row.id, row.fingerprint)
  }
  return rows.filter((row) => !isWithoutDescriptors(row))
}
