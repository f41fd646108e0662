/** The predictions that a user already has: all on one target, or that of one pair. */
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { type Cell, hasNumber, readCell, readPredicted } from './cells.ts'
import { type DistinctPairs, distinctPairs, isKnown, isPaid, placeOf, readPaid } from './paid.ts'
import { blocksWith, cellsIn } from './paid-blocks.ts'
import { type InputRow, type Plan, readPlan } from './plan.ts'
import { compoundKey, sequenceKey } from './pair-key.ts'
import type { PairKey } from './readings.ts'

export type NamedNumber = { name: string; predicted: number; measured: number | null }
type EarlierNumber = NamedNumber & { modelVersion: string }

type OfTarget = { userId: string; modelVersion: string; targetName: string }

/** Compounds by name whose prediction on this target is known, and how many distinct ones are not paid for yet. */
export async function listKnownNumbers(
  db: Database,
  { targetName, ...wanted }: OfTarget,
): Promise<{ known: NamedNumber[]; earlier: EarlierNumber[]; missing: number }> {
  const plan = await readPlan(db, wanted.userId, { targets: [targetName], compounds: 'all' })
  const target = plan.targets[0]
  if (target === undefined) {
    throw new AppError('not_found', plan.unusable[0]?.reason ?? 'Target not found.')
  }
  const pairs = await readPaid(db, { ...wanted, plan })
  const [measured] = await readExactValues(db, wanted.userId, [target.name])
  const measuredOf = ({ standard }: InputRow) => measured?.get(standard ?? '') ?? null
  const known = plan.rows.flatMap((compound, row) => {
    const place = placeOf(pairs, plan.keys[row] ?? '', target.key.toString('hex'))
    if (place < 0 || !isKnown(pairs, place)) return []
    const predicted = readPredicted(pairs.cells, place)
    return [{ name: compound.name, predicted, measured: measuredOf(compound) }]
  })
  const places = [...pairs.compounds.values()]
  const earlier = await readEarlier(db, { ...wanted, plan, pairs, measuredOf })
  return { known, earlier, missing: places.filter((place) => !isPaid(pairs, place)).length }
}

type Wanted = Pick<OfTarget, 'userId' | 'modelVersion'> & { pairs: DistinctPairs }

type Earlier = Wanted & { plan: Plan; measuredOf: (row: InputRow) => number | null }

/** The latest prediction by an earlier model for compounds without a prediction by this one. */
async function readEarlier(db: Database, earlier: Earlier): Promise<EarlierNumber[]> {
  const { plan, pairs, measuredOf } = earlier
  const key = plan.targets[0]?.key.toString('hex') ?? ''
  const numbers = await latestNumbers(db, earlier)
  return plan.rows.flatMap((compound, row) => {
    const place = placeOf(pairs, plan.keys[row] ?? '', key)
    const number = place < 0 || isKnown(pairs, place) ? undefined : numbers.get(place)
    if (number === undefined) return []
    return [{ name: compound.name, measured: measuredOf(compound), ...number }]
  })
}

type LatestNumber = Omit<EarlierNumber, 'name' | 'measured'> & { at: Date }

/** Keyed by the index of the pair. */
async function latestNumbers(
  db: Database,
  { userId, modelVersion, pairs }: Wanted,
): Promise<Map<number, LatestNumber>> {
  const numbers = new Map<number, LatestNumber>()
  for await (const block of blocksWith(db, { userId, modelVersion, pairs, isEarlier: true })) {
    const { cells, orderedAt: at, modelVersion: version } = block
    if (cells === null) continue
    for (const { cell, place } of cellsIn(block, pairs)) {
      if (!hasNumber(cells, cell) || at < (numbers.get(place)?.at ?? at)) continue
      numbers.set(place, { at, predicted: readPredicted(cells, cell), modelVersion: version })
    }
  }
  return numbers
}

type Molecules = { segments: string[]; smiles: string[] }

/** Returns the molecules (standard SMILES) for which the user has a prediction on these segments. */
export function openFindPredicted({ db, modelVersion }: { db: Database; modelVersion: string }) {
  return async (userId: string, { segments, smiles }: Molecules): Promise<Set<string>> => {
    const key = sequenceKey(segments)
    const keys = smiles.map((one) => compoundKey(one).toString('latin1'))
    const pairs = await readPaid(db, { userId, modelVersion, plan: { keys, targets: [{ key }] } })
    const isKnownAt = (at: number) =>
      isKnown(pairs, placeOf(pairs, keys[at] ?? '', key.toString('hex')))
    return new Set(smiles.filter((_one, at) => isKnownAt(at)))
  }
}

type OfPair = { userId: string; modelVersion: string; key: PairKey }

const onePair = ({ compound, sequence }: PairKey): DistinctPairs =>
  distinctPairs({ keys: [compound.toString('latin1')], targets: [{ key: sequence }] })

/** The prediction of one pair in any order of the user, and when it was ordered; null if there is none. */
export async function findCell(
  db: Database,
  { userId, modelVersion, key }: OfPair,
): Promise<{ cell: Cell; predictedAt: Date } | null> {
  const pairs = onePair(key)
  for await (const block of blocksWith(db, { userId, modelVersion, pairs })) {
    if (block.cells === null) continue
    for (const { cell: place } of cellsIn(block, pairs)) {
      const cell = readCell(block.cells, place)
      if (cell !== null) return { cell, predictedAt: block.orderedAt }
    }
  }
  return null
}

/** The latest earlier model that predicted this pair; null if none did. */
export async function findEarlierVersion(
  db: Database,
  { userId, modelVersion, key }: OfPair,
): Promise<string | null> {
  const [latest] = (await latestNumbers(db, { userId, modelVersion, pairs: onePair(key) })).values()
  return latest?.modelVersion ?? null
}
