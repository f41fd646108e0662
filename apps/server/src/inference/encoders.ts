/** Encodings of compounds and targets, cached by content. */
import {
  featureSpec,
  targetFeatures,
  visibleFeatures,
  type CompoundFeatures,
  type RdkitModule,
  type TargetFeatures,
} from '@pkdex/biochem'
import { LRUCache } from 'lru-cache'
import { bitsIn, foldMorgan } from './fingerprints.ts'
import type { Encode } from './graphs.ts'
import type { ModelCard } from './model-card.ts'
import type { NearTarget } from './nearest-targets.ts'
import type { Encoded, Parts } from './open-parts.ts'
import type { TrainingData } from './training-data.ts'
import type { WideModel } from './wide-model.ts'

/** `segments`: the observed chain, cut at its gaps; `smiles`: a standard SMILES (for hidden atoms see `hideAtoms`). */
export type Pair = { segments: string[]; smiles: string }

/** `wide`: the encoding by the wide model. */
export type KnownCompound = Encoded & {
  wide: Float32Array
  fingerprint: Uint32Array
  bits: number[]
  heavyAtoms: number
  logp: number
}
/** `twins`: indices of the training targets that it equals, including mutants. */
export type KnownTarget = Encoded & { wide: Float32Array; nearest: NearTarget[]; twins: number[] }

/** Separates the segments of a chain in its key; never part of a sequence. */
const GAP = '/'
const HEAVY_ATOMS = featureSpec.compound.descriptors.indexOf('NumHeavyAtoms')
const LOGP = featureSpec.compound.descriptors.indexOf('CrippenClogP')
const CACHED_COMPOUNDS = 1500
const CACHED_TARGETS = 400

export async function encodePairs(
  { compounds, targets }: ReturnType<typeof openEncoders>,
  pairs: Pair[],
) {
  const smiles = placesOf(pairs.map((pair) => pair.smiles))
  const chains = placesOf(pairs.map(({ segments }) => segments.join(GAP)))
  return {
    compounds: await encodeAll(compounds, [...smiles.keys()]),
    targets: await encodeAll(targets, [...chains.keys()]),
    pairs: pairs.map((pair) => ({
      compound: smiles.get(pair.smiles) ?? 0,
      target: chains.get(pair.segments.join(GAP)) ?? 0,
    })),
  }
}

type Encoder<Features, Known extends object> = {
  cache: LRUCache<string, Known>
  read: (key: string) => Features
  /** Encodings of the base model and of the wide model. */
  encode: { base: Encode<Features>; wide: Encode<Features> }
  describe: (features: Features, encodings: { encoding: Float32Array; wide: Float32Array }) => Known
}

export function openEncoders(
  rdkit: RdkitModule,
  { card, parts, wide }: { card: ModelCard; parts: Parts; wide: WideModel },
  training: TrainingData,
) {
  const compounds: Encoder<CompoundFeatures, KnownCompound> = {
    cache: new LRUCache({ max: CACHED_COMPOUNDS }),
    read: (smiles) => visibleFeatures(rdkit, smiles),
    encode: { base: parts.encodeCompounds, wide: wide.encodeCompounds },
    describe(features, encodings) {
      const fingerprint = foldMorgan(features.bits)
      return {
        ...encodings,
        fingerprint,
        bits: bitsIn(fingerprint),
        heavyAtoms: features.descriptors[HEAVY_ATOMS] ?? 0,
        logp: features.descriptors[LOGP] ?? 0,
        similarity: training.compounds.nearest(fingerprint),
      }
    },
  }
  const targets: Encoder<TargetFeatures, KnownTarget> = {
    cache: new LRUCache({ max: CACHED_TARGETS }),
    read: (chain) => targetFeatures(chain.split(GAP)),
    encode: { base: parts.encodeTargets, wide: wide.encodeTargets },
    describe(features, encodings) {
      const nearest = training.targets.nearest(features)
      const [first] = nearest
      const isKnown = first !== undefined && first.similarity > card.domain.sameTargetAbove
      const twins = isKnown ? training.targets.twinsOf(first.place).map(({ place }) => place) : []
      return { ...encodings, nearest, twins, similarity: first?.similarity ?? 0 }
    },
  }
  return { compounds, targets }
}

export async function fingerprintOf(
  { compounds }: ReturnType<typeof openEncoders>,
  smiles: string,
): Promise<Uint32Array> {
  const [compound] = await encodeAll(compounds, [smiles])
  if (compound === undefined) throw new Error('a compound lacks an encoding')
  return compound.fingerprint
}

/** One encoding per key, in order; computes only what is not cached. */
async function encodeAll<Features, Known extends object>(
  encoder: Encoder<Features, Known>,
  keys: string[],
): Promise<Known[]> {
  const known = new Map(keys.map((key) => [key, encoder.cache.get(key)]))
  const missing = keys.filter((key) => known.get(key) === undefined)
  const features = missing.map(encoder.read)
  const encodings = await encoder.encode.base(features)
  const wides = await encoder.encode.wide(features)
  for (const [index, key] of missing.entries()) {
    const [item, encoding, wide] = [features[index], encodings[index], wides[index]]
    if (item === undefined || encoding === undefined || wide === undefined) {
      throw new Error('an encoding is missing')
    }
    const described = encoder.describe(item, { encoding, wide })
    known.set(key, described)
    encoder.cache.set(key, described)
  }
  return [...known.values()].filter((item) => item !== undefined)
}

/** The distinct keys, with the index of each. */
function placesOf(keys: string[]): Map<string, number> {
  return new Map([...new Set(keys)].map((key, place) => [key, place]))
}
