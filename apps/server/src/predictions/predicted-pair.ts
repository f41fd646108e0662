/** A pair that a user has predicted with the model that runs now, and all that its number came from. */
import type { PredictionResult } from '@pkdex/contract'
import { readTarget } from '#server/files/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { JobPair } from './queue.ts'
import { findBoth, type PredictionDependencies, toRequest } from './request-prediction.ts'

export type PredictedPair = {
  target: { name: string; filename: string; chain: string; contentSha256: string }
  /** `smiles`: as it was uploaded. */
  compound: { name: string; smiles: string }
  /** What the model got. */
  pair: JobPair
  result: PredictionResult
  predictedAt: Date
}

type Dependencies = Pick<PredictionDependencies, 'db' | 'store' | 'modelVersion' | 'now'>

/** Refuses a pair that has no number yet: asking about it must not be a way around paying. */
export async function findPredictedPair(
  { db, store, modelVersion, now }: Dependencies,
  names: { userId: string; target: string; compound: string },
): Promise<PredictedPair> {
  const { userId, target: targetName, compound: compoundName } = names
  const { target, compound } = await findBoth(db, { userId, targetName, compoundName })
  const request = toRequest({ userId, target, compound, modelVersion, arrivedAt: now() })
  const task = await store.findSameTask(request)
  if (task?.result == null || task.finishedAt === null) {
    throw new AppError(
      'not_found',
      `${compound.name} has not been predicted on chain ${target.chain} of ${target.name} yet. Predict this pair first.`,
    )
  }
  const { filename } = await readTarget(db, userId, target.name)
  const contentSha256 = target.content_hash.toString('hex')
  return {
    target: { name: target.name, filename, chain: target.chain, contentSha256 },
    compound: { name: compound.name, smiles: compound.smiles },
    pair: request.pair,
    result: task.result,
    predictedAt: task.finishedAt,
  }
}
