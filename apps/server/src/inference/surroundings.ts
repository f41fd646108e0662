/** Context to judge a prediction by: related targets, their measured values, and the kind of compound. */
import { type RdkitModule, standardise, targetFeatures } from '@pkdex/biochem'
import type { ExactMeasurement, PredictionResult } from '@pkdex/contract'
import { LRUCache } from 'lru-cache'
import { domainOf, measuredOf, type NearPair, shownPk } from './applicability-domain.ts'
import { openCompoundStructures, type CompoundStructures } from './compound-structures.ts'
import { whyOutside } from './compound-kinds.ts'
import type { NearLabel } from './measured-compounds.ts'
import type { ModelCard } from './model-card.ts'
import { findRelatives, type Relative } from './relatives.ts'
import type { TrainingData } from './training-data.ts'

type DescribedPair = {
  segments: string[]
  smiles: string
  /** Positions of the set bits of the compound's fingerprint. */
  bits: number[]
  near: NearPair
}

/** The model's bare prediction of a pair. */
export type PlainNumber = Pick<
  PredictionResult,
  'predicted_kd' | 'unit' | 'interval' | 'is_mostly_ic50' | 'model_version'
>

export type Surroundings = {
  /** Adds the context to a prediction. */
  describe(pair: DescribedPair, number: PlainNumber): PredictionResult
  /** Closest first. */
  relativesOf(segments: string[]): Relative[]
}

const CACHED_TARGETS = 400

export function openSurroundings(
  directory: string,
  rdkit: RdkitModule,
  { card, training }: { card: ModelCard; training: TrainingData },
): Surroundings {
  const { targets, measured, sequences } = training
  const cache = new LRUCache<string, Relative[]>({ max: CACHED_TARGETS })
  const exactMeasurements = openExactMeasurements(directory, rdkit)

  function relativesOf(segments: string[]): Relative[] {
    const key = segments.join('/')
    const known = cache.get(key)
    if (known !== undefined) return known
    const features = targetFeatures(segments)
    const relatives = findRelatives(targets, sequences, { segments, features })
    cache.set(key, relatives)
    return relatives
  }

  /** Over all entries of the sequence, most similar first; empty if nothing was measured on this protein. */
  function labelsOnTarget(near: number, bits: number[], target: Relative | undefined): NearLabel[] {
    if (near <= card.domain.sameTargetAbove || target === undefined) return []
    return measured.nearOnAny(bits, target.places)
  }

  function describe(
    { segments, smiles, bits, near: known }: DescribedPair,
    number: PlainNumber,
  ): PredictionResult {
    const relatives = relativesOf(segments)
    const labels = labelsOnTarget(known.target, bits, relatives[0])
    const onTarget = Math.max(known.onTarget, labels[0]?.similarity ?? 0)
    const near = { ...known, onTarget }
    const relative = relatives.find(({ identityPercent }) => identityPercent !== null)
    const outside = whyOutside(smiles)
    return {
      ...number,
      domain: domainOf(card, near, { outside, relative }),
      nearest_targets: relatives.map(({ name, similarity, identityPercent, measurements }) => ({
        name,
        similarity,
        ...(identityPercent !== null && { identity_percent: identityPercent }),
        measurements,
      })),
      nearest_compound: { similarity: Math.max(near.compound, onTarget) },
      nearest_measured_compound: onTarget === 0 ? null : { similarity: onTarget },
      measured_compounds: measuredOf(card, labels, near),
      exact_measurements: exactMeasurements(labels, smiles),
    }
  }

  return { describe, relativesOf }
}

/** Structures of training compounds are read when the first pair needs them. */
function openExactMeasurements(directory: string, rdkit: RdkitModule) {
  let structures: CompoundStructures | null = null

  function isSame(known: string | undefined, smiles: string): boolean {
    const standard = known === undefined ? null : standardise(rdkit, known)
    return standard?.ok === true && standard.standardSmiles === smiles
  }

  /** Stereoisomers and some homologues have equal fingerprints, so the structure decides. */
  return (labels: NearLabel[], smiles: string): ExactMeasurement[] => {
    const equal = labels.filter(({ similarity }) => similarity === 1)
    if (equal.length > 0) structures ??= openCompoundStructures(directory)
    return equal
      .filter(({ row }) => isSame(structures?.compound(row)?.smiles, smiles))
      .map(({ value, isBelow, place }) => ({
        pk: shownPk(value, isBelow),
        bound: isBelow ? 'upper' : null,
        types: structures?.origin(place)?.types ?? [],
        source: 'training',
      }))
  }
}
