/** What stands around a pair, for people to judge its number by: related targets, what was measured on them, what kind of compound it is. */
import { targetFeatures } from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import { domainOf } from './applicability-domain.ts'
import { whyOutside } from './compound-kinds.ts'
import type { ModelCard } from './model-card.ts'
import { openRecentCache } from './recent-cache.ts'
import { findRelatives, type Relative } from './relatives.ts'
import type { TrainingData } from './training-data.ts'

type DescribedPair = {
  segments: string[]
  smiles: string
  /** The places of the bits of the compound's fingerprint. */
  bits: number[]
}

export type SurroundingsOf = (pair: DescribedPair, result: PredictionResult) => PredictionResult

const TARGETS_KEPT = 400

/** The number and its interval stay; the facts beside them are those of `relatives.ts`. */
export function openSurroundings(card: ModelCard, training: TrainingData): SurroundingsOf {
  const { targets, measured, sequences } = training
  const kept = openRecentCache<Relative[]>(TARGETS_KEPT)

  function relativesOf(segments: string[]): Relative[] {
    const key = segments.join('/')
    const known = kept.get(key)
    if (known !== undefined) return known
    const features = targetFeatures(segments)
    const relatives = findRelatives(targets, sequences, { segments, features })
    kept.set(key, relatives)
    return relatives
  }

  /** Over all entries of the sequence; null where nothing was measured on this very protein. */
  function nearestOnTarget(near: number, bits: number[], target: Relative | undefined) {
    if (near <= card.domain.sameTargetAbove || target === undefined) return null
    const similarities = target.places.flatMap(
      (place) => measured.near(bits, place).labels[0]?.similarity ?? [],
    )
    return similarities.length === 0 ? null : { similarity: Math.max(...similarities) }
  }

  return ({ segments, smiles, bits }, result) => {
    const relatives = relativesOf(segments)
    const near = {
      compound: result.nearest_compound.similarity,
      target: result.nearest_targets[0]?.similarity ?? 0,
    }
    const onTarget = nearestOnTarget(near.target, bits, relatives[0])
    const isUnlikeOnTarget =
      onTarget !== null && onTarget.similarity < card.domain.compoundSimilarityMin
    const relative = relatives.find(({ identityPercent }) => identityPercent !== null)
    const outside = whyOutside(smiles)
    return {
      ...result,
      domain: domainOf(card, near, { outside, relative, isUnlikeOnTarget }),
      nearest_targets: relatives.map(({ name, similarity, identityPercent, measurements }) => ({
        name,
        similarity,
        ...(identityPercent !== null && { identity_percent: identityPercent }),
        measurements,
      })),
      nearest_measured_compound: onTarget,
    }
  }
}
