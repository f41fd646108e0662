/** What stands around a pair, for people to judge its number by: related targets, what was measured on them, what kind of compound it is. */
import { targetFeatures } from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import { domainOf, measuredOf } from './applicability-domain.ts'
import { whyOutside } from './compound-kinds.ts'
import { LABELS_NEAR, type NearLabel } from './measured-compounds.ts'
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

export type Surroundings = {
  /** The number and its interval stay; the facts beside them are those of `relatives.ts`. */
  describe(pair: DescribedPair, result: PredictionResult): PredictionResult
  /** Nearest first. */
  relativesOf(segments: string[]): Relative[]
}

const TARGETS_KEPT = 400

export function openSurroundings(card: ModelCard, training: TrainingData): Surroundings {
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

  /** Over all entries of the sequence, most alike first; none where nothing was measured on this very protein. */
  function labelsOnTarget(near: number, bits: number[], target: Relative | undefined): NearLabel[] {
    if (near <= card.domain.sameTargetAbove || target === undefined) return []
    const labels = target.places.flatMap((place) => measured.near(bits, place).labels)
    return labels.toSorted((a, b) => b.similarity - a.similarity).slice(0, LABELS_NEAR)
  }

  function describe(
    { segments, smiles, bits }: DescribedPair,
    result: PredictionResult,
  ): PredictionResult {
    const relatives = relativesOf(segments)
    const near = {
      compound: result.nearest_compound.similarity,
      target: result.nearest_targets[0]?.similarity ?? 0,
    }
    const labels = labelsOnTarget(near.target, bits, relatives[0])
    const [nearest] = labels
    const onTarget = nearest === undefined ? null : { similarity: nearest.similarity }
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
      measured_compounds: measuredOf(card, labels, near),
    }
  }

  return { describe, relativesOf }
}
