/** Reads own values, those of paid pairs apart, and adds descriptors to those that were stored without. */
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { FindPredicted } from './import.ts'
import { readPacked } from './fingerprints.ts'
import { isWithoutDescriptors } from './own-values.ts'
import { keepFingerprint, type Predicted, type PredictedOf, readPredicted } from './store.ts'

type Dependencies = { db: Database; parsingWorkers: Pick<ParsingWorkers, 'readFingerprints'> }

/**
 * Measured values may be made up, so they do not entitle anyone to an unpaid prediction. Whatever is computed from a value
 * and its prediction gives the prediction away if the value is changed and the results are compared: an error, a verdict,
 * the adjusted number of another pair. So only values of paid pairs take part in any of them.
 */
export type OwnRows = { paid: Predicted[]; unpaid: Predicted[] }

export async function readOwnRows(
  dependencies: Dependencies & { findPredicted: FindPredicted },
  of: PredictedOf,
): Promise<OwnRows> {
  const rows = await readDescribed(dependencies, of)
  if (rows.length === 0) return { paid: [], unpaid: [] }
  const target = await dependencies.db
    .selectFrom('targets')
    .select('segments')
    .where('id', '=', of.targetId)
    .executeTakeFirst()
  const smiles = [...new Set(rows.map((row) => row.smiles))]
  const pairs = { segments: target?.segments[of.chain] ?? [], smiles }
  const known = await dependencies.findPredicted(of.userId, pairs)
  const { paid = [], unpaid = [] } = Object.groupBy(rows, (row) =>
    known.has(row.smiles) ? 'paid' : 'unpaid',
  )
  return { paid, unpaid }
}

/** All values; those whose molecule can no longer be read are left out. */
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
