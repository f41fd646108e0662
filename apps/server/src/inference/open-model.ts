/** The model on disk, ready to predict. One model serves one worker thread: a run blocks it. */
import type { RdkitModule } from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import {
  domainStateOf,
  halfWidthOf,
  intervalOf,
  isLigandDriven,
  type NearPair,
} from './applicability-domain.ts'
import { whyOutside } from './compound-kinds.ts'
import { type Compare, openDifferences } from './differences.ts'
import { readModelCard, type ModelCard } from './model-card.ts'
import { finish, readFinalStage, type FinalStage, type Known } from './final-stage.ts'
import {
  encodePairs,
  fingerprintOf,
  openEncoders,
  type KnownCompound,
  type KnownTarget,
  type Pair,
} from './encoders.ts'
import { type Grid, GRID_COLUMNS } from './grid.ts'
import type { MeasuredNear } from './measured-compounds.ts'
import { openParts, type PairNumbers } from './open-parts.ts'
import type { Relative } from './relatives.ts'
import { openSurroundings, type PlainNumber } from './surroundings.ts'
import { openTrainingData, type TrainingData } from './training-data.ts'
import { openWideModel, type WideModel } from './wide-model.ts'

export type Model = {
  version: string
  /** One result per pair, in order. Throws if RDKit breaks: its module is then unusable. */
  predict(pairs: Pair[]): Promise<PredictionResult[]>
  /** The same numbers without texts: compound by compound, each pair in the order of `gridColumns`. */
  predictGrid(grid: Grid): Promise<Float32Array>
  /** Loaded with the first call: only screens with structure need it. */
  compare: Compare
  /** Inputs of each pair's prediction, for scoring. */
  explain(pairs: Pair[]): Promise<Explained[]>
  /** Related training targets of a chain, closest first. */
  relativesOf(segments: string[]): Relative[]
  /** Uses the compound's cached encoding. */
  fingerprintOf(smiles: string): Promise<Uint32Array>
}

export type { Pair } from './encoders.ts'

/** `parts`: the parts that the base prediction was blended from. */
export type Explained = Known & { parts: number[]; halfWidthOfBase: number }

export async function openModel(options: {
  directory: string
  rdkit: RdkitModule
}): Promise<Model> {
  const { directory, rdkit } = options
  const card = await readModelCard(directory)
  const parts = await openParts(directory)
  const training = openTrainingData(directory)
  const wide = await openWideModel(directory, training.targetCount)
  const stage = readFinalStage(directory)
  const surroundings = openSurroundings(directory, rdkit, { card, training })
  const encoders = openEncoders(rdkit, { card, parts, wide }, training)

  async function predict(pairs: Pair[]): Promise<PredictionResult[]> {
    return (await predictAffinities(pairs)).map((pair, place) => {
      const { segments = [], smiles = '' } = pairs[place] ?? {}
      const described = { segments, smiles, bits: pair.compound.bits, near: pair.near }
      return surroundings.describe(described, toNumber(card, pair))
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
    return met.map((pair, index) =>
      predictedPair({ card, wide, stage, training }, pair, numbers[index]),
    )
  }

  let differences: Promise<Compare> | null = null
  const compare: Compare = async (compared) => {
    differences ??= openDifferences(directory, rdkit)
    return (await differences)(compared)
  }

  // The first run compiles the graphs and RDKit's code: users should not wait for it.
  await predict([{ segments: [], smiles: 'C' }])
  const relativesOf = (segments: string[]) => surroundings.relativesOf(segments)
  return {
    version: card.version,
    predict,
    predictGrid,
    compare,
    explain,
    relativesOf,
    fingerprintOf: (smiles) => fingerprintOf(encoders, smiles),
  }
}

/** A pair by the indices of its compound and target. */
type Places = { compound: number; target: number }

/** A pair: its compound and target, and the values measured near it. */
type EncodedPair = {
  places: Places
  compound: KnownCompound
  target: KnownTarget
  measured: MeasuredNear
}

type PredictedPair = EncodedPair & {
  known: Explained
  near: NearPair
  predicted: number
  /** From the final stage. */
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

type Opened = { card: ModelCard; wide: WideModel; stage: FinalStage; training: TrainingData }

function predictedPair(
  { card, wide, stage, training }: Opened,
  pair: EncodedPair,
  base: PairNumbers | undefined,
): PredictedPair {
  if (base === undefined) throw new Error('the model returned no prediction')
  const near = { compound: pair.compound.similarity, target: pair.target.similarity }
  const known = {
    ...knownOf(wide, stage, pair, base.affinity),
    parts: base.parts,
    halfWidthOfBase: halfWidthOf(card, near),
  }
  const { predicted, halfWidth } = finish(stage, known)
  const onTarget = similarityOnTarget({ card, training }, pair, known)
  const within = Math.min(Math.max(predicted, card.range.lower), card.range.upper)
  return { ...pair, known, near: { ...near, onTarget }, predicted: within, halfWidth }
}

/** The closest compound measured on this protein. Tables of mutants are read only if that can change the domain. */
function similarityOnTarget(
  { card, training }: Pick<Opened, 'card' | 'training'>,
  { compound, target }: EncodedPair,
  known: Known,
): number {
  const nearest = Math.max(known.similarity, known.similarityOfBase)
  if (nearest >= card.domain.compoundSimilarityMin) return nearest
  const [label] = training.measured.nearOnAny(compound.bits, target.twins)
  return Math.max(nearest, label?.similarity ?? 0)
}

/** Counts values on the target from both tables: the base model's also contains panels and bounds. */
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

/** Domain, measured values and related targets are added by `surroundings.ts`. */
function toNumber(
  card: ModelCard,
  { known, near, predicted, halfWidth }: PredictedPair,
): PlainNumber {
  return {
    predicted_kd: predicted,
    unit: 'pKd',
    interval: intervalOf(card, predicted, { ...near, halfWidth }),
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
  const state = domainStateOf(card, near, outside)
  const flags = [Number(state === 'known_on_target'), Number(isLigandDriven(card, near))]
  const similarities = [Math.max(near.compound, near.onTarget), near.target]
  const isKnownElsewhere = Number(state === 'known_on_other_targets')
  return [predicted, lower, upper, ...flags, ...similarities, isKnownElsewhere]
}
