/** The model on disk, ready to predict. One model serves one worker thread: a run blocks it. */
import type { RdkitModule } from '@pkdex/biochem'
import type { PredictionResult } from '@pkdex/contract'
import { domainStateOf, isLigandDriven, type NearPair } from './applicability-domain.ts'
import { whyOutside } from './compound-kinds.ts'
import { type Compare, openDifferences } from './differences.ts'
import { readModelCard, type ModelCard } from './model-card.ts'
import { openEncoders, type KnownCompound, type KnownTarget, type Pair } from './encoders.ts'
import { type Grid, GRID_COLUMNS } from './grid.ts'
import { type Krige, type Near, openKriging } from './near.ts'
import { halfWidthOf, type PairModel, readPairModel, withLevel } from './pair-model.ts'
import { openRegression, type Regression } from './regression.ts'
import type { Relative } from './relatives.ts'
import { openSimilarCompounds, type SimilarCompounds } from './similar-compounds.ts'
import { keepPrivate, openShare } from './shared-arrays.ts'
import { openSurroundings, type PlainNumber } from './surroundings.ts'
import { openTrainingData, type TrainingData } from './training-data.ts'

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
  similar: SimilarCompounds
  /** Related training targets of a chain, closest first. */
  relativesOf(segments: string[]): Relative[]
  /** Uses the compound's cached encoding. */
  fingerprintOf(smiles: string): Promise<Uint32Array>
}

export type { Pair } from './encoders.ts'

/** What a prediction was made from. */
export type Explained = {
  /** The training target whose values count; null for another protein. */
  place: number | null
  /** Regression and `near`, without the level. */
  regression: number
  near: Near
  /** Exact values measured on the target; 0 if the protein is no training target. */
  values: number
  heavyAtoms: number
}

export async function openModel(options: {
  directory: string
  rdkit: RdkitModule
  /** Of the model's threads; without it, all arrays are private. */
  memory?: SharedArrayBuffer
}): Promise<Model> {
  const { directory, rdkit, memory } = options
  const card = await readModelCard(directory)
  const pairModel = readPairModel(directory)
  const share = memory === undefined ? keepPrivate : openShare(memory, card)
  const training = openTrainingData(directory, share)
  const targets = training.entries.length
  const regression = openRegression(directory, pairModel.regression, { targets, share })
  const surroundings = openSurroundings(directory, rdkit, { card, training })
  const encoders = openEncoders(rdkit, pairModel, { regression, training, card })
  const krige = openKriging(training, pairModel.near)
  const opened = { card, pairModel, regression, krige, training }

  async function predict(pairs: Pair[]): Promise<PredictionResult[]> {
    return pairs.map(({ segments, smiles }) => {
      const pair = predictAffinity({ segments, smiles })
      const described = { segments, smiles, bits: pair.compound.bits, near: pair.near }
      return surroundings.describe(described, toNumber(opened, pair))
    })
  }

  async function predictGrid({ targets: chains, smiles, features }: Grid): Promise<Float32Array> {
    const targets = chains.map(encoders.target)
    const columns = new Float32Array(smiles.length * targets.length * GRID_COLUMNS)
    let at = 0
    for (const [row, one] of smiles.entries()) {
      const compound = encoders.compound(one, features?.[row])
      const why = whyOutside(one)
      for (const target of targets) {
        columns.set(toColumns(card, predictPair(opened, compound, target), why), at)
        at += GRID_COLUMNS
      }
    }
    return columns
  }

  const explain = async (pairs: Pair[]) => pairs.map((pair) => predictAffinity(pair).known)

  const predictAffinity = ({ segments, smiles }: Pair) =>
    predictPair(opened, encoders.compound(smiles), encoders.target(segments))

  let differences: Compare | null = null
  const compare: Compare = async (compared) => {
    differences ??= openDifferences(directory, rdkit)
    return differences(compared)
  }

  // The first run compiles code: users should not wait for it.
  await predict([{ segments: [], smiles: 'C' }])
  const relativesOf = (segments: string[]) => surroundings.relativesOf(segments)
  return {
    version: card.version,
    predict,
    predictGrid,
    compare,
    explain,
    similar: openSimilarCompounds(training),
    relativesOf,
    fingerprintOf: async (smiles) => encoders.compound(smiles).fingerprint,
  }
}

type PredictedPair = {
  compound: KnownCompound
  target: KnownTarget
  known: Explained
  near: NearPair
  predicted: number
  halfWidth: number
}

type Opened = {
  card: ModelCard
  pairModel: PairModel
  regression: Regression
  krige: Krige
  training: TrainingData
}

function predictPair(opened: Opened, compound: KnownCompound, target: KnownTarget): PredictedPair {
  const { card, pairModel, regression, krige, training } = opened
  const base = regression.predict(compound.inputs, target.weights)
  const near =
    target.place === null
      ? { mean: 0, variance: pairModel.near.height, similarity: 0, terms: [] }
      : krige(compound, target.place)
  const values = target.place === null ? 0 : (training.entries[target.place]?.exact ?? 0)
  const { heavyAtoms } = compound
  const isKnown = compound.similarity === 1
  const { similarity, variance } = near
  const facts = { values, similarity, variance, heavyAtoms, isKnown }
  const raw = base + near.mean
  const predicted = withLevel(pairModel, raw, facts)
  const known = { place: target.place, regression: base, near, values, heavyAtoms }
  const onTarget = similarityOnTarget(opened, compound, target, similarity)
  return {
    compound,
    target,
    known,
    near: { compound: compound.similarity, target: target.similarity, onTarget },
    predicted: Math.min(Math.max(predicted, card.range.lower), card.range.upper),
    halfWidth: halfWidthOf(pairModel, facts),
  }
}

/** The closest compound measured on this protein. Tables of mutants are read only if that can change the domain. */
function similarityOnTarget(
  { card, training }: Pick<Opened, 'card' | 'training'>,
  { bits }: KnownCompound,
  { twins }: KnownTarget,
  nearest: number,
): number {
  if (nearest >= card.domain.compoundSimilarityMin) return nearest
  const [label] = training.measured.nearOnAny(bits, twins)
  return Math.max(nearest, label?.similarity ?? 0)
}

/** Domain, measured values and related targets are added by `surroundings.ts`. */
function toNumber(
  { card, pairModel, training }: Opened,
  { target, predicted, halfWidth }: PredictedPair,
): PlainNumber {
  const { level } = pairModel.widths
  return {
    predicted_kd: predicted,
    unit: 'pKd',
    interval: { lower: predicted - halfWidth, upper: predicted + halfWidth, level },
    is_mostly_ic50: training.entries[target.place ?? -1]?.mostlyIc50 ?? false,
    model_version: card.version,
  }
}

/** In the order of `gridColumns`. */
function toColumns(
  card: ModelCard,
  { near, predicted, halfWidth }: PredictedPair,
  outside: string | null,
): number[] {
  const [lower, upper] = [predicted - halfWidth, predicted + halfWidth]
  const state = domainStateOf(card, near, outside)
  const flags = [Number(state === 'known_on_target'), Number(isLigandDriven(card, near))]
  const similarities = [Math.max(near.compound, near.onTarget), near.target]
  const isKnownElsewhere = Number(state === 'known_on_other_targets')
  return [predicted, lower, upper, ...flags, ...similarities, isKnownElsewhere]
}
