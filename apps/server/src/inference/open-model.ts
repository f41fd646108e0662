/**
 * The model on disk, ready to predict. One model serves one worker thread: running it blocks.
 * Encodings are kept by content, so that a compound or target that comes again costs nothing.
 */
import {
  compoundFeatures,
  targetFeatures,
  type CompoundFeatures,
  type RdkitModule,
  type TargetFeatures,
} from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import { domainOf, intervalOf, measuredOf } from './judge-pair.ts'
import { readModelCard, type ModelCard } from './model-card.ts'
import { bitsIn, foldMorgan } from './fingerprint.ts'
import type { MeasuredNear } from './measured-compounds.ts'
import type { NearTarget } from './nearest-targets.ts'
import { openParts, type Encoded } from './open-parts.ts'
import { openRecentCache, type RecentCache } from './recent-cache.ts'
import { openTrainingData, type TrainingData } from './training-data.ts'

export type Model = {
  version: string
  /** One result a pair, in order. Throws where RDKit breaks: the module is lost then. */
  predict(pairs: Pair[]): Promise<PredictionResult[]>
}

/** `segments`: the observed chain, cut at its gaps; `smiles`: a standard SMILES. */
export type Pair = { segments: string[]; smiles: string }

type KnownCompound = Encoded & { bits: number[] }
type KnownTarget = Encoded & { nearest: NearTarget[] }

/** Stands between the segments of a chain in its key; no sequence holds it. */
const GAP = '/'
const COMPOUNDS_KEPT = 4000
const TARGETS_KEPT = 400

export async function openModel(options: {
  directory: string
  rdkit: RdkitModule
}): Promise<Model> {
  const { directory, rdkit } = options
  const card = await readModelCard(directory)
  const parts = await openParts(directory)
  const training = openTrainingData(directory)
  const compounds: Encoder<CompoundFeatures, KnownCompound> = {
    kept: openRecentCache(COMPOUNDS_KEPT),
    read: (smiles) => compoundFeatures(rdkit, smiles),
    encode: parts.encodeCompounds,
    describe(features, encoding) {
      const fingerprint = foldMorgan(features.bits)
      return {
        encoding,
        bits: bitsIn(fingerprint),
        similarity: training.compounds.nearest(fingerprint),
      }
    },
  }
  const targets: Encoder<TargetFeatures, KnownTarget> = {
    kept: openRecentCache(TARGETS_KEPT),
    read: (chain) => targetFeatures(chain.split(GAP)),
    encode: parts.encodeTargets,
    describe(features, encoding) {
      const nearest = training.targets.nearest(features)
      return { encoding, nearest, similarity: nearest[0]?.similarity ?? 0 }
    },
  }

  async function predict(pairs: Pair[]): Promise<PredictionResult[]> {
    const known = await encodePairs(pairs)
    const meetings = known.pairs.map((places) => meet(training, known, places))
    const numbers = await parts.predict({
      ...known,
      pairs: meetings.map(({ places, measured }) => ({ ...places, measured: measured.columns })),
    })
    return meetings.map((meeting, index) => toResult(card, meeting, numbers[index]?.affinity))
  }

  async function encodePairs(pairs: Pair[]) {
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

  // The first run compiles the graphs and RDKit's code: no user should wait for that.
  await predict([{ segments: [], smiles: 'C' }])
  return { version: card.version, predict }
}

/** A pair by the places of its two sides. */
type Places = { compound: number; target: number }

/** A pair: both sides of it, and what was measured near it. */
type Meeting = {
  places: Places
  compound: KnownCompound
  target: KnownTarget
  measured: MeasuredNear
}

function meet(
  training: TrainingData,
  known: { compounds: KnownCompound[]; targets: KnownTarget[] },
  places: Places,
): Meeting {
  const [compound, target] = [known.compounds[places.compound], known.targets[places.target]]
  const place = target?.nearest[0]?.place
  if (compound === undefined || target === undefined || place === undefined) {
    throw new Error('a pair lacks an encoding')
  }
  return { places, compound, target, measured: training.measured.near(compound.bits, place) }
}

type Encoder<Features, Known> = {
  kept: RecentCache<Known>
  read: (key: string) => Features
  encode: (features: Features[]) => Promise<Float32Array[]>
  describe: (features: Features, encoding: Float32Array) => Known
}

/** One for each key, in order; only what is not kept is computed. */
async function encodeAll<Features, Known>(
  encoder: Encoder<Features, Known>,
  keys: string[],
): Promise<Known[]> {
  const known = new Map(keys.map((key) => [key, encoder.kept.get(key)]))
  const missing = keys.filter((key) => known.get(key) === undefined)
  const features = missing.map(encoder.read)
  const encodings = await encoder.encode(features)
  for (const [index, key] of missing.entries()) {
    const [item, encoding] = [features[index], encodings[index]]
    if (item === undefined || encoding === undefined) throw new Error('an encoding is missing')
    const described = encoder.describe(item, encoding)
    known.set(key, described)
    encoder.kept.set(key, described)
  }
  return [...known.values()].filter((item) => item !== undefined)
}

/** Each different key with its place among them. */
function placesOf(keys: string[]): Map<string, number> {
  return new Map([...new Set(keys)].map((key, place) => [key, place]))
}

function toResult(
  card: ModelCard,
  { compound, target, measured }: Meeting,
  affinity: number | undefined,
): PredictionResult {
  if (affinity === undefined) throw new Error('the model answered no number')
  const near = { compound: compound.similarity, target: target.similarity }
  const predicted = Math.min(Math.max(affinity, card.range.lower), card.range.upper)
  return {
    predicted_kd: predicted,
    unit: 'pKd',
    interval: intervalOf(card, predicted, near),
    domain: domainOf(card, near),
    nearest_compound: { similarity: compound.similarity },
    nearest_targets: target.nearest.map(({ name, similarity }) => ({ name, similarity })),
    measured_compounds: measuredOf(card, measured.labels, near),
    model_version: card.version,
  }
}
