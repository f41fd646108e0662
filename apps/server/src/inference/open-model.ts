/**
 * The model on disk, ready to predict. One model serves one worker thread: running it blocks.
 * Encodings are kept by content, so that a compound or target that comes again costs nothing.
 */
import {
  featureSpec,
  targetFeatures,
  visibleFeatures,
  type CompoundFeatures,
  type RdkitModule,
  type TargetFeatures,
} from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import { domainOf, halfWidthOf, intervalOf, type Nearness } from './applicability-domain.ts'
import { whyOutside } from './compound-kinds.ts'
import { readModelCard, type ModelCard } from './model-card.ts'
import { finish, readFinalStage, type FinalStage, type Known } from './final-stage.ts'
import { bitsIn, foldMorgan } from './fingerprints.ts'
import { type Grid, GRID_COLUMNS } from './grid.ts'
import type { MeasuredNear } from './measured-compounds.ts'
import type { NearTarget } from './nearest-targets.ts'
import type { Encode } from './graphs.ts'
import { openParts, type Encoded, type PairNumbers, type Parts } from './open-parts.ts'
import { openRecentCache, type RecentCache } from './recent-cache.ts'
import type { Relative } from './relatives.ts'
import { openSurroundings } from './surroundings.ts'
import { openTrainingData, type TrainingData } from './training-data.ts'
import { openWideModel, type WideModel } from './wide-model.ts'

export type Model = {
  version: string
  /** One result a pair, in order. Throws where RDKit breaks: the module is lost then. */
  predict(pairs: Pair[]): Promise<PredictionResult[]>
  /** The same numbers without the words, compound by compound, each of a pair in `gridColumns`. */
  predictGrid(grid: Grid): Promise<Float32Array>
  /** What each pair's number is made of, for scores. */
  explain(pairs: Pair[]): Promise<Explained[]>
  /** Training targets that a chain is related to, nearest first. */
  relativesOf(segments: string[]): Relative[]
}

/** `segments`: the observed chain, cut at its gaps; `smiles`: a standard SMILES, see `hideAtoms` for one with atoms hidden. */
export type Pair = { segments: string[]; smiles: string }

/** `parts`: what the base number was blended from. */
export type Explained = Known & { parts: number[]; halfWidthOfBase: number }

/** `wide`: the encoding by the wide model. */
type KnownCompound = Encoded & {
  wide: Float32Array
  bits: number[]
  heavyAtoms: number
  logp: number
}
type KnownTarget = Encoded & { wide: Float32Array; nearest: NearTarget[] }

/** Stands between the segments of a chain in its key; no sequence holds it. */
const GAP = '/'
const HEAVY_ATOMS = featureSpec.compound.descriptors.indexOf('NumHeavyAtoms')
const LOGP = featureSpec.compound.descriptors.indexOf('CrippenClogP')
const COMPOUNDS_KEPT = 1500
const TARGETS_KEPT = 400

export async function openModel(options: {
  directory: string
  rdkit: RdkitModule
}): Promise<Model> {
  const { directory, rdkit } = options
  const card = await readModelCard(directory)
  const parts = await openParts(directory)
  const training = openTrainingData(directory)
  const wide = await openWideModel(directory)
  const stage = readFinalStage(directory)
  const surroundings = openSurroundings(card, training)
  const encoders = openEncoders(rdkit, { parts, wide }, training)

  async function predict(pairs: Pair[]): Promise<PredictionResult[]> {
    return (await predictAffinities(pairs)).map((pair, place) => {
      const { segments = [], smiles = '' } = pairs[place] ?? {}
      const described = { segments, smiles, bits: pair.compound.bits }
      return surroundings.describe(described, toResult(card, pair))
    })
  }

  async function predictGrid({ targets: chains, smiles }: Grid): Promise<Float32Array> {
    const pairs = smiles.flatMap((one) => chains.map((segments) => ({ segments, smiles: one })))
    const outside = smiles.map(whyOutside)
    const columns = new Float32Array(pairs.length * GRID_COLUMNS)
    for (const [place, pair] of (await predictAffinities(pairs)).entries()) {
      const why = outside[Math.floor(place / chains.length)] ?? null
      columns.set(toColumns(card, pair, why), place * GRID_COLUMNS)
    }
    return columns
  }

  const explain = async (pairs: Pair[]) =>
    (await predictAffinities(pairs)).map(({ known }) => known)

  async function predictAffinities(pairs: Pair[]): Promise<PredictedPair[]> {
    const encoded = await encodePairs(encoders, pairs)
    const met = encoded.pairs.map((places) => encodedPair(training, encoded, places))
    const numbers = await parts.predict({
      ...encoded,
      pairs: met.map(({ places, measured }) => ({ ...places, measured: measured.columns })),
    })
    return met.map((pair, index) => predictedPair({ card, wide, stage }, pair, numbers[index]))
  }

  // The first run compiles the graphs and RDKit's code: no user should wait for that.
  await predict([{ segments: [], smiles: 'C' }])
  const relativesOf = (segments: string[]) => surroundings.relativesOf(segments)
  return { version: card.version, predict, predictGrid, explain, relativesOf }
}

async function encodePairs({ compounds, targets }: ReturnType<typeof openEncoders>, pairs: Pair[]) {
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

/** A pair by the places of its two sides. */
type Places = { compound: number; target: number }

/** A pair: both sides of it, and what was measured near it. */
type EncodedPair = {
  places: Places
  compound: KnownCompound
  target: KnownTarget
  measured: MeasuredNear
}

type PredictedPair = EncodedPair & {
  known: Explained
  near: Nearness
  predicted: number
  /** Of the final stage. */
  halfWidth: number
}

function encodedPair(
  training: TrainingData,
  known: { compounds: KnownCompound[]; targets: KnownTarget[] },
  places: Places,
): EncodedPair {
  const [compound, target] = [known.compounds[places.compound], known.targets[places.target]]
  const place = target?.nearest[0]?.place
  if (compound === undefined || target === undefined || place === undefined) {
    throw new Error('a pair lacks an encoding')
  }
  return { places, compound, target, measured: training.measured.near(compound.bits, place) }
}

function predictedPair(
  { card, wide, stage }: { card: ModelCard; wide: WideModel; stage: FinalStage },
  pair: EncodedPair,
  base: PairNumbers | undefined,
): PredictedPair {
  if (base === undefined) throw new Error('the model answered no number')
  const near = { compound: pair.compound.similarity, target: pair.target.similarity }
  const known = {
    ...knownOf(wide, stage, pair, base.affinity),
    parts: base.parts,
    halfWidthOfBase: halfWidthOf(card, near),
  }
  const { predicted, halfWidth } = finish(stage, known)
  const within = Math.min(Math.max(predicted, card.range.lower), card.range.upper)
  return { ...pair, known, near, predicted: within, halfWidth }
}

/** What was measured on the target counts from both tables: that of the base model also holds panels and bounds. */
function knownOf(
  wide: WideModel,
  { sameTargetFrom }: FinalStage,
  { compound, target, measured }: EncodedPair,
  base: number,
): Known {
  const nearest = target.similarity < sameTargetFrom ? null : (target.nearest[0] ?? null)
  const numbers = wide.numbers({
    compound: compound.wide,
    target: target.wide,
    bits: compound.bits,
    place: nearest?.place ?? null,
  })
  const { heavyAtoms, logp } = compound
  const near = {
    compoundSimilarity: compound.similarity,
    labelsOfBase: nearest?.measured ?? 0,
    similarityOfBase: nearest === null ? 0 : (measured.labels[0]?.similarity ?? 0),
  }
  return { ...numbers, ...near, base, heavyAtoms, logp, highest: wide.highest(heavyAtoms) }
}

type Encoder<Features, Known> = {
  kept: RecentCache<Known>
  read: (key: string) => Features
  /** By the base model, and by the wide one. */
  encode: { base: Encode<Features>; wide: Encode<Features> }
  describe: (features: Features, encodings: { encoding: Float32Array; wide: Float32Array }) => Known
}

function openEncoders(
  rdkit: RdkitModule,
  { parts, wide }: { parts: Parts; wide: WideModel },
  training: TrainingData,
) {
  const compounds: Encoder<CompoundFeatures, KnownCompound> = {
    kept: openRecentCache(COMPOUNDS_KEPT),
    read: (smiles) => visibleFeatures(rdkit, smiles),
    encode: { base: parts.encodeCompounds, wide: wide.encodeCompounds },
    describe(features, encodings) {
      const fingerprint = foldMorgan(features.bits)
      return {
        ...encodings,
        bits: bitsIn(fingerprint),
        heavyAtoms: features.descriptors[HEAVY_ATOMS] ?? 0,
        logp: features.descriptors[LOGP] ?? 0,
        similarity: training.compounds.nearest(fingerprint),
      }
    },
  }
  const targets: Encoder<TargetFeatures, KnownTarget> = {
    kept: openRecentCache(TARGETS_KEPT),
    read: (chain) => targetFeatures(chain.split(GAP)),
    encode: { base: parts.encodeTargets, wide: wide.encodeTargets },
    describe(features, encodings) {
      const nearest = training.targets.nearest(features)
      return { ...encodings, nearest, similarity: nearest[0]?.similarity ?? 0 }
    },
  }
  return { compounds, targets }
}

/** One for each key, in order; only what is not kept is computed. */
async function encodeAll<Features, Known>(
  encoder: Encoder<Features, Known>,
  keys: string[],
): Promise<Known[]> {
  const known = new Map(keys.map((key) => [key, encoder.kept.get(key)]))
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
  { compound, target, known, near, predicted, halfWidth }: PredictedPair,
): PredictionResult {
  return {
    predicted_kd: predicted,
    unit: 'pKd',
    interval: intervalOf(card, predicted, { ...near, halfWidth }),
    domain: domainOf(card, near, { outside: null }),
    nearest_compound: { similarity: compound.similarity },
    nearest_targets: target.nearest.map(({ name, similarity }) => ({ name, similarity })),
    is_mostly_ic50: known.mostly === 'IC50',
    model_version: card.version,
  }
}

/** In the order of `gridColumns`. */
function toColumns(
  card: ModelCard,
  { near, predicted, halfWidth }: PredictedPair,
  outside: string | null,
): number[] {
  const { lower, upper } = intervalOf(card, predicted, { ...near, halfWidth })
  const { is_inside, is_ligand_driven } = domainOf(card, near, { outside })
  const flags = [Number(is_inside), Number(is_ligand_driven)]
  return [predicted, lower, upper, ...flags, near.compound, near.target]
}
