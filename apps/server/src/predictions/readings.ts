/** Full results of single predictions: everything that the panel shows besides the pKd. */
import type { PredictionResult } from '@pkdex/contract'
import type { Database, Trx } from '#server/platform/db/schema.ts'

export type PairKey = { sequence: Buffer; compound: Buffer }

type Reading = { userId: string; key: PairKey; result: PredictionResult; at: Date }

/** The first reading of a pair is kept, because its pKd was already shown. */
export async function keepReading(db: Trx | Database, reading: Reading): Promise<void> {
  const { userId, key, result, at } = reading
  await db
    .insertInto('readings')
    .values({
      user_id: userId,
      sequence_key: key.sequence,
      compound_key: key.compound,
      model_version: result.model_version,
      result: JSON.stringify(result),
      predicted_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Sought = { userId: string; key: PairKey; modelVersion: string }

export async function findReading(
  db: Database,
  { userId, key, modelVersion }: Sought,
): Promise<{ result: PredictionResult; predictedAt: Date } | null> {
  const reading = await db
    .selectFrom('readings')
    .select(['result', 'predicted_at as predictedAt'])
    .where('user_id', '=', userId)
    .where('sequence_key', '=', key.sequence)
    .where('compound_key', '=', key.compound)
    .where('model_version', '=', modelVersion)
    .executeTakeFirst()
  return reading ?? null
}
