/** The numbers of `pair-model.json`, written by `training/affinity_model/export.py`; `model.py` and `calibrate.py` state the equations. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const number = z.number()

const PairModel = z.object({
  regression: z.object({
    /** Names of the fingerprint blocks whose Tanimoto similarities to the landmarks are averaged. */
    blocks: z.array(z.string()),
    landmarks: number.int(),
    directions: number.int(),
    /** Scaled descriptors are clipped to `clip` deviations and multiplied by `scale`. */
    descriptors: z.object({
      means: z.array(number),
      deviations: z.array(number),
      clip: number,
      scale: number,
    }),
    /** The last input: the level of a target. */
    constant: number,
    mean: number,
  }),
  near: z.object({
    /** Variances in pK²: prior, and of one value. */
    height: number,
    noise: number,
    power: number,
    neighbours: number.int(),
    /** Relation to targets that share nothing. */
    unrelated: number,
    /** Values on other targets count if their compound is one of so many closest, and so similar. */
    compounds: number.int(),
    similarFrom: number,
  }),
  /** A chain that shares this part of its k-mers with a training target is that target. */
  sameTargetFrom: number,
  /** What is added for values that users measure: new series are stronger than the panels of most targets. */
  level: z.object({
    /** pKd by decades of values on the target, linear between the knots. */
    knots: z.array(number),
    constants: z.array(number),
    /** Per pKd above 6.5. */
    slope: number,
    /** Not at all up to the first, wholly from the second: series hardly contain fragments. */
    heavyAtoms: z.tuple([number, number]),
  }),
  widths: z.object({
    level: number,
    /** Upper limits of all bins but the last: values on the target, similarity to the closest measured compound. */
    valueEdges: z.array(number),
    similarityEdges: z.array(number),
    /** Half-width in pKd per standard deviation, by bin of similarity. */
    factors: z.array(number),
    /** Variance of everything but `near`, in pK², by bin of values. */
    variances: z.array(number),
  }),
})
export type PairModel = z.infer<typeof PairModel>

export function readPairModel(directory: string): PairModel {
  return PairModel.parse(JSON.parse(readFileSync(join(directory, 'pair-model.json'), 'utf8')))
}

/** What is known about a pair besides its numbers. */
export type PairFacts = {
  /** Exact values on the target. */
  values: number
  /** To the closest compound measured on the target; 0 without values. */
  similarity: number
  /** Of `near`, in pK². */
  variance: number
  heavyAtoms: number
  /** The compound was measured, on any target. */
  isKnown: boolean
}

/** `raw`: regression and `near`. The level counts by the share of the variance of `near` that values near the pair leave open. */
export function withLevel({ level, near }: PairModel, raw: number, facts: PairFacts): number {
  if (facts.isKnown) return raw
  const [fragment, whole] = level.heavyAtoms
  const share =
    within01(facts.variance / near.height) *
    within01((facts.heavyAtoms - fragment) / (whole - fragment))
  const added =
    between(level.knots, level.constants, Math.log10(1 + facts.values)) + level.slope * (raw - 6.5)
  return raw + share * added
}

const within01 = (share: number) => Math.min(Math.max(share, 0), 1)

/** Linear between knots, constant beyond the ends. */
function between(knots: number[], values: number[], x: number): number {
  const above = knots.findIndex((knot) => x < knot)
  if (above === -1) return values.at(-1) ?? 0
  const [low, high] = [knots[above - 1], knots[above] ?? 0]
  const upper = values[above] ?? 0
  if (low === undefined) return upper
  const lower = values[above - 1] ?? 0
  return lower + ((upper - lower) * (x - low)) / (high - low)
}

/** Half-width of the interval. */
export function halfWidthOf({ widths }: PairModel, facts: PairFacts): number {
  const factor = widths.factors[binOf(widths.similarityEdges, facts.similarity)]
  const other = widths.variances[binOf(widths.valueEdges, facts.values)]
  if (factor === undefined || other === undefined) {
    throw new Error('pair-model.json has no such bin')
  }
  return factor * Math.sqrt(Math.max(facts.variance, 0) + other)
}

/** The first bin whose upper limit is above the value. */
function binOf(edges: number[], value: number): number {
  const bin = edges.findIndex((edge) => value < edge)
  return bin === -1 ? edges.length : bin
}
