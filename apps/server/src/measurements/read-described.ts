/** Reads own values whose pair the user has paid for, and adds descriptors to those that were stored before descriptors were used. */
import type { ParsingWorkers } from '#server/files/parsing/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { FindPredicted } from './import.ts'
import { readPacked } from './fingerprints.ts'
import { isWithoutDescriptors } from './own-values.ts'
import { keepFingerprint, type Predicted, type PredictedOf, readPredicted } from './store.ts'

type Dependencies = { db: Database; parsingWorkers: Pick<ParsingWorkers, 'readFingerprints'> }

/**
 * Measured values may be made up, so they do not entitle anyone to an unpaid prediction. Whatever is computed from a value
 * and its prediction gives the prediction away, if the value is changed and the result compared: an error, a verdict, the
 * adjusted number of another pair. So only values of paid pairs take part in any of them.
 */
export async function splitPaid(
  { db, findPredicted }: { db: Database; findPredicted: FindPredicted },
  { userId, targetId, chain }: PredictedOf,
  rows: Predicted[],
): Promise<{ paid: Predicted[]; unpaid: Predicted[] }> {
  if (rows.length === 0) return { paid: [], unpaid: [] }
  const { segments } = await db
    .selectFrom('targets')
    .select('segments')
    .where('id', '=', targetId)
    .executeTakeFirstOrThrow()
  const smiles = [...new Set(rows.map((row) => row.smiles))]
  const known = await findPredicted(userId, { segments: segments[chain] ?? [], smiles })
  const { paid = [], unpaid = [] } = Object.groupBy(rows, (row) =>
    known.has(row.smiles) ? 'paid' : 'unpaid',
  )
  return { paid, unpaid }
}

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
