/** Encodings of compounds and targets, cached by content. */
import {
  type CompoundFeatures,
  featureSpec,
  type RdkitModule,
  targetFeatures,
  visibleFeatures,
} from '@pkdex/biochem'
import { LRUCache } from 'lru-cache'
import { bitsIn, foldMorgan, type Neighbour } from './fingerprints.ts'
import type { ModelCard } from './model-card.ts'
import type { PairModel } from './pair-model.ts'
import type { Regression } from './regression.ts'
import type { TrainingData } from './training-data.ts'

/** `segments`: the observed chain, cut at its gaps; `smiles`: a standard SMILES (for hidden atoms see `hideAtoms`). */
export type Pair = { segments: string[]; smiles: string }

/** `closest`: training compounds, whatever the target, closest first; `similarity`: to the first. */
export type KnownCompound = {
  inputs: Float32Array
  fingerprint: Uint32Array
  bits: number[]
  heavyAtoms: number
  closest: Neighbour[]
  similarity: number
}
/**
 * `place`: the training target that the chain is (or is a part of), null for another protein; `twins`: training targets
 * with its sequence, mutants included. `similarity`: to the closest training target.
 */
export type KnownTarget = {
  place: number | null
  weights: Float64Array
  similarity: number
  twins: number[]
}

/** Separates the segments of a chain in its key; never part of a sequence. */
const GAP = '/'
const HEAVY_ATOMS = featureSpec.compound.descriptors.indexOf('NumHeavyAtoms')
const CACHED_COMPOUNDS = 1500
const CACHED_TARGETS = 400

/** Throws if RDKit breaks or cannot read a SMILES. */
export function openEncoders(
  rdkit: RdkitModule,
  model: PairModel,
  {
    regression,
    training,
    card,
  }: { regression: Regression; training: TrainingData; card: ModelCard },
) {
  /** `known`: its features, if they were read already. */
  function encodeCompound(smiles: string, known?: CompoundFeatures): KnownCompound {
    const features = known ?? visibleFeatures(rdkit, smiles)
    const fingerprint = foldMorgan(features.bits)
    const bits = bitsIn(fingerprint)
    const { compounds: count, similarFrom: from } = model.near
    const closest = training.compounds.closest(fingerprint, { count, from })
    return {
      inputs: regression.inputsOf(features),
      fingerprint,
      bits,
      heavyAtoms: features.descriptors[HEAVY_ATOMS] ?? 0,
      closest,
      similarity: closest[0]?.similarity ?? 0,
    }
  }

  function encodeTarget(chain: string): KnownTarget {
    const features = targetFeatures(chain.split(GAP))
    const [first] = training.targets.nearest(features)
    const similarity = first?.similarity ?? 0
    const closest = training.targets.closest(features)
    const isKnown = closest !== null && closest.similarity >= model.sameTargetFrom
    const place = isKnown ? closest.place : null
    const weights =
      place === null
        ? regression.weightsOfNew(training.targets.cosines(features))
        : regression.weightsOf(place)
    const isSame = first !== undefined && similarity > card.domain.sameTargetAbove
    const twins = isSame ? training.targets.twinsOf(first.place).map((twin) => twin.place) : []
    return { place, weights, similarity, twins }
  }

  const encodeSegments = cached(CACHED_TARGETS, encodeTarget)
  return {
    compound: cached(CACHED_COMPOUNDS, encodeCompound),
    target: (segments: string[]) => encodeSegments(segments.join(GAP)),
  }
}

function cached<Known extends object, Given extends unknown[]>(
  max: number,
  encode: (key: string, ...given: Given) => Known,
) {
  const cache = new LRUCache<string, Known>({ max })
  return (key: string, ...given: Given): Known => {
    const known = cache.get(key) ?? encode(key, ...given)
    cache.set(key, known)
    return known
  }
}
