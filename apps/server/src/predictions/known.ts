/** The predictions that a user already has: all on one target, or that of one pair. */
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { countPaid, type KnownNumber, readKnown } from './paid.ts'
import type { BestEstimates } from './best-estimates.ts'
import { fromStored, type PairNumber } from './pair-number.ts'
import { spanOf } from './table-estimates.ts'
import { readPlan } from './plan.ts'
import { findFlatKeys } from './flat-keys.ts'
import { sequenceKey } from './pair-key.ts'
import type { PairKey } from './readings.ts'

export type NamedNumber = {
  name: string
  predicted: number
  /** The best estimate. */
  best: number
  measured: number | null
}
type EarlierNumber = NamedNumber & { modelVersion: string }

type OfTarget = { userId: string; modelVersion: string; targetName: string }

/** Compounds by name whose prediction on this target is known, and how many distinct ones are not paid for yet. */
export async function listKnownNumbers(
  { db, best }: { db: Database; best: BestEstimates },
  { targetName, ...wanted }: OfTarget,
): Promise<{ known: NamedNumber[]; earlier: EarlierNumber[]; missing: number }> {
  const plan = await readPlan(db, wanted.userId, { targets: [targetName], compounds: 'all' })
  const target = plan.targets[0]
  if (target === undefined) {
    throw new AppError('not_found', plan.unusable[0]?.reason ?? 'Target not found.')
  }
  const planned = { ...wanted, plan }
  const known = await readKnown(db, planned)
  const earlier = await readKnown(db, planned, { isEarlier: true })
  const { unpaid } = await countPaid(db, planned)
  const [measured] = await readExactValues(db, wanted.userId, [target.name])
  const listed = async (
    numbers: Map<string, KnownNumber>,
    isWanted: (key: string) => boolean,
  ): Promise<EarlierNumber[]> => {
    const named = plan.rows.flatMap(({ name, standard }, row) => {
      const key = plan.keys[row] ?? ''
      const stored = numbers.get(key)
      if (stored === undefined || standard === null || !isWanted(key)) return []
      return [{ name, standard, number: spanOf(stored), modelVersion: stored.model_version }]
    })
    const modelVersions = [...new Set(named.map(({ modelVersion }) => modelVersion))]
    const request = { userId: wanted.userId, targets: [target], modelVersions }
    const [column] = named.length === 0 ? [] : await best.open(request)
    const estimates = await column?.read(named)
    return named.map(({ name, standard, number: { predicted }, modelVersion }, at) => {
      const moved = estimates?.[at]?.predicted ?? predicted
      return {
        name,
        predicted,
        best: moved,
        measured: measured?.get(standard) ?? null,
        modelVersion,
      }
    })
  }
  return {
    known: await listed(known, () => true),
    earlier: await listed(earlier, (key) => !known.has(key)),
    missing: unpaid,
  }
}

type Molecules = { segments: string[]; smiles: string[] }

/** Returns the molecules (standard SMILES) for which the user has a prediction on these segments. */
export function openFindPredicted({ db, modelVersion }: { db: Database; modelVersion: string }) {
  return async (userId: string, { segments, smiles }: Molecules): Promise<Set<string>> => {
    const key = sequenceKey(segments)
    const keys = await findFlatKeys(db, { userId, smiles })
    const known = await readKnown(db, { userId, modelVersion, plan: { keys, targets: [{ key }] } })
    return new Set(smiles.filter((_one, at) => known.has(keys[at] ?? '')))
  }
}

type OfPair = { userId: string; modelVersion: string; key: PairKey }

function paidRows(db: Database, { userId, key }: OfPair) {
  return db
    .selectFrom('pairs')
    .innerJoin('sequences', 'sequences.id', 'pairs.sequence_id')
    .innerJoin('orders', 'orders.number', 'pairs.order_number')
    .where('sequences.user_id', '=', userId)
    .where('sequences.key', '=', key.sequence)
    .where('pairs.compound_key', '=', key.compound)
    .where('is_payer', '=', true)
}

/** The prediction of one pair in any order of the user, and when it was ordered; null if there is none. */
export async function findNumber(
  db: Database,
  pair: OfPair,
): Promise<{ number: PairNumber; predictedAt: Date } | null> {
  const found = await paidRows(db, pair)
    .selectAll('pairs')
    .select('orders.created_at')
    .where('pairs.model_version', '=', pair.modelVersion)
    .executeTakeFirst()
  return found === undefined ? null : { number: fromStored(found), predictedAt: found.created_at }
}

/** The latest earlier model that predicted this pair; null if none did. */
export async function findEarlierVersion(db: Database, pair: OfPair): Promise<string | null> {
  const latest = await paidRows(db, pair)
    .select('pairs.model_version')
    .where('pairs.model_version', '<>', pair.modelVersion)
    .orderBy('orders.created_at', 'desc')
    .executeTakeFirst()
  return latest?.model_version ?? null
}
