/** Finds a pair that the current model has predicted for a user, with everything the prediction was made from. */
import type { AskedPair, PredictionResult, Screen } from '@pkdex/contract'
import { findTarget, readTarget } from '#server/files/service.ts'
import type { Pair } from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { findEarlierVersion, findNumber } from './known.ts'
import { findReadable } from './order.ts'
import { numberOf, type PairNumber } from './pair-number.ts'
import { findReading } from './readings.ts'
import { readPairs } from './results.ts'
import { tableOf } from './screen-table.ts'
import { findBoth, type PredictionDependencies, toWanted } from './single.ts'
import { sequenceKey } from './pair-key.ts'
import type { OrderStore } from './store.ts'

export type PredictedPair = {
  /** Whose pair it is: the caller's, or that of the user who shares its screen. */
  userId: string
  target: {
    name: string
    chain: string
    /** Of its sequence. */
    key: Buffer
    /** Null if it was deleted since, or the name now belongs to another protein. */
    file: { id: string; filename: string; contentSha256: string } | null
  }
  /** `smiles`: as uploaded. */
  compound: { name: string; smiles: string }
  /** The input of the model. */
  pair: Pair
  /** The prediction as shown. */
  cell: PairNumber
  /** Null if the prediction comes from a screen, which stores only the number. */
  result: PredictionResult | null
  predictedAt: Date
}

type Dependencies = Pick<PredictionDependencies, 'db' | 'modelVersion'> & {
  store: Pick<OrderStore, 'read' | 'readTarget'>
}

/** Refuses a pair without a prediction: asking for its evidence must not be a way around paying. */
export function findPredictedPair(
  dependencies: Dependencies,
  request: AskedPair & { userId: string },
): Promise<PredictedPair> {
  const { userId, target: targetName, compound: compoundName, screen, row, column } = request
  if (targetName && compoundName && isNone(screen, row, column)) {
    return findByNames(dependencies, { userId, targetName, compoundName })
  }
  if (screen && row && column && isNone(targetName, compoundName)) {
    return findInScreen(dependencies, { userId, screen, row, column })
  }
  throw new AppError(
    'invalid_request',
    'Name a pair by target and compound, or by screen, row and column.',
  )
}

function isNone(...values: unknown[]): boolean {
  return values.every((value) => value === undefined)
}

async function findByNames(
  { db, modelVersion }: Dependencies,
  names: { userId: string; targetName: string; compoundName: string },
): Promise<PredictedPair> {
  const { userId } = names
  const { target, compound } = await findBoth(db, names)
  const { key, paidKey, plan, smiles } = toWanted(userId, { target, compound })
  const { name, chain } = target
  const shared = {
    userId,
    target: { name, chain, key: key.sequence, file: await fileOf(db, userId, target) },
    compound: { name: compound.name, smiles: compound.smiles },
    pair: { segments: plan.targets[0]?.segments ?? [], smiles },
  }
  const reading = await findReading(db, { userId, key, modelVersion })
  if (reading !== null) return { ...shared, ...reading, cell: numberOf(reading.result) }
  const known = await findNumber(db, { userId, key: paidKey, modelVersion })
  if (known !== null) {
    const { number: cell, predictedAt } = known
    return { ...shared, cell, predictedAt, result: null }
  }
  const pairName = `${compound.name} on chain ${chain} of ${name}`
  const earlier = await findEarlierVersion(db, { userId, key: paidKey, modelVersion })
  if (earlier !== null) throw ofEarlierModel(pairName, earlier, modelVersion)
  throw new AppError(
    'not_found',
    `${pairName} has not been predicted yet. Predict this pair first.`,
  )
}

type PlaceInScreen = { userId: string; screen: string; row: number; column: number }

async function findInScreen(
  dependencies: Dependencies,
  { userId: callerId, screen: id, row, column }: PlaceInScreen,
): Promise<PredictedPair> {
  const { db, store, modelVersion } = dependencies
  const { screen, userId } = await findReadable(dependencies, callerId, id)
  const planned = await store.readTarget(screen.id, column)
  if (planned === null || row > screen.compounds) {
    throw new AppError('not_found', 'The screen has no such pair.')
  }
  const { name, chain, segments, key } = planned
  const { input, standard, number, version } = await readNumberAt(db, screen, { row, column })
  if (version !== modelVersion) {
    throw ofEarlierModel(`${input.name} on ${name}`, version, modelVersion)
  }
  return {
    userId,
    target: { name, chain, key, file: await findSame(dependencies, userId, planned) },
    compound: { name: input.name, smiles: input.smiles },
    pair: { segments, smiles: standard },
    cell: number,
    result: null,
    predictedAt: new Date(screen.created_at),
  }
}

async function readNumberAt(
  db: Database,
  screen: Screen,
  { row, column }: Pick<PlaceInScreen, 'row' | 'column'>,
) {
  const place = (row - 1) * screen.targets.length + column - 1
  const [pair] = await readPairs(db, tableOf(screen), [place])
  if (pair === undefined) throw new AppError('not_found', 'This pair has no prediction.')
  const { input, number, modelVersion: version } = pair
  if (number !== null && input.standard) return { input, number, standard: input.standard, version }
  throw new AppError('not_found', input.reason ?? pair.missing)
}

/** The target in the library, if it still has this name and these residues. */
async function findSame(
  { db }: Dependencies,
  userId: string,
  { name, chain, key }: { name: string; chain: string; key: Buffer },
): Promise<PredictedPair['target']['file']> {
  const target = await findTarget(db, userId, name)
  const isSame = target !== null && sequenceKey(target.segments[chain] ?? []).equals(key)
  return isSame ? fileOf(db, userId, target) : null
}

type FoundTarget = NonNullable<Awaited<ReturnType<typeof findTarget>>>

async function fileOf(db: Database, userId: string, target: FoundTarget) {
  const { filename } = await readTarget(db, userId, target.name)
  return { id: target.id, filename, contentSha256: target.content_hash.toString('hex') }
}

function ofEarlierModel(pairName: string, earlier: string, modelVersion: string): AppError {
  return new AppError(
    'not_found',
    `${pairName} was predicted by model ${earlier}, and the model is now ${modelVersion}. Predict this pair again to see its evidence and receipt.`,
  )
}
