/**
 * The final prediction of a pair. The base model is accurate for compounds similar to those measured on the target; a
 * linear function of five inputs, fitted on published series, covers the others. On targets with values in ChEMBL that
 * function is moved towards their level and the kernel. The base model’s share depends on the number of values on the
 * target and the similarity of the closest. Written by training/affinity_model/final_stage.py.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MostlyMeasured, type Means, type WideNumbers } from './wide-model.ts'

const FinalStage = z.object({
  /** A protein with this similarity to a training target is treated as that target. */
  sameTargetFrom: z.number(),
  /** Analogues have no weight below the first similarity, and full weight from the second on. */
  analoguesHeard: z.tuple([z.number(), z.number()]),
  stack: z.object({
    constant: z.number(),
    heavyAtoms: z.number(),
    logp: z.number(),
    pooled: z.number(),
    analogues: z.number(),
    kernel: z.number(),
  }),
  /**
   * How far the linear function moves on a target with values in ChEMBL: towards their level, less if there are few
   * compared with `prior`, and towards the kernel. Models up to 1.4.2 do not move it.
   */
  level: z.object({ prior: z.number(), values: z.number(), kernel: z.number() }).optional(),
  /**
   * Share of the base model, at knots of measured compounds × similarity; linear in between. If nothing was measured on
   * the target, the similarity is that of the closest compound on any target.
   */
  base: z.object({
    labelKnots: z.array(z.number()),
    similarityKnots: z.array(z.number()),
    /**
     * For a compound known from other targets, by the closest on any target: more from the first similarity on, all at
     * the second.
     */
    knownCompound: z.tuple([z.number(), z.number()]),
    shares: z.array(z.array(z.number())),
  }),
  calibration: z.object({
    /** Upper limits of all bins but the last. */
    labelEdges: z.array(z.number()),
    similarityEdges: z.array(z.number()),
    /** Half-width in pK, by the target's most common value type, by bin of measured compounds, then of similarity. */
    halfWidths: z.record(MostlyMeasured, z.array(z.array(z.number()))),
  }),
})
export type FinalStage = z.infer<typeof FinalStage>

export type Known = WideNumbers & {
  /** pKd of the base model. */
  base: number
  /** Values the base model has on the target, panels and bounds included, and the similarity of the closest. */
  labelsOfBase: number
  similarityOfBase: number
  /** Tanimoto of the closest compound in the base model's training data, on any target. */
  compoundSimilarity: number
  heavyAtoms: number
  /** Crippen's. */
  logp: number
  /** Maximum pK for compounds of this size. */
  highest: number
}

export function readFinalStage(directory: string): FinalStage {
  return FinalStage.parse(JSON.parse(readFileSync(join(directory, 'final-stage.json'), 'utf8')))
}

/** Strata use all values on the target, from the base model or the analogues. */
export function finish(stage: FinalStage, known: Known) {
  const share = shareOfBase(stage, known)
  const mixed = share * known.base + (1 - share) * line(stage, known)
  return { predicted: Math.min(mixed, known.highest), halfWidth: halfWidthOf(stage, known) }
}

function shareOfBase({ base }: FinalStage, known: Known): number {
  const { labelKnots, similarityKnots, knownCompound, shares } = base
  const ofSimilarity = shares.map((row, at) => {
    const similarity = labelKnots[at] === 0 ? known.compoundSimilarity : known.similarityOfBase
    return between(similarityKnots, row, similarity)
  })
  const isKnown = between(knownCompound, [0, 1], known.compoundSimilarity)
  return isKnown + (1 - isKnown) * between(labelKnots, ofSimilarity, known.labelsOfBase)
}

/** The prediction without the base model. */
function line({ stack, analoguesHeard: [from, wholly], level }: FinalStage, known: Known): number {
  const heard = between([from, wholly], [0, 1], known.similarity)
  const plain = stacked(stack, { ...known, analogues: heard * known.analogues })
  const { means, labels } = known
  if (level === undefined || means === null || known.mostly === 'other') return plain
  const above = (labels / (labels + level.prior)) * (means.pk - stacked(stack, means))
  return plain + level.values * above + level.kernel * (known.kernel - plain)
}

function stacked(stack: FinalStage['stack'], numbers: Omit<Means, 'pk'>): number {
  return (
    stack.constant +
    stack.heavyAtoms * numbers.heavyAtoms +
    stack.logp * numbers.logp +
    stack.pooled * numbers.pooled +
    stack.analogues * numbers.analogues +
    stack.kernel * numbers.kernel
  )
}

function halfWidthOf({ calibration }: FinalStage, known: Known): number {
  const { labelEdges, similarityEdges } = calibration
  const halfWidths = calibration.halfWidths[known.mostly]
  const labels = Math.max(known.labels, known.labelsOfBase)
  const similarity = Math.max(known.similarity, known.similarityOfBase)
  const half = halfWidths[binOf(labelEdges, labels)]?.[binOf(similarityEdges, similarity)]
  if (half === undefined) throw new Error('the final stage has no such stratum')
  return half
}

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

/** The first bin whose upper limit is above the value. */
export function binOf(edges: number[], value: number): number {
  const bin = edges.findIndex((edge) => value < edge)
  return bin === -1 ? edges.length : bin
}
