/**
 * The final number of a pair. The base model knows compounds like those that were measured on the target; a line
 * through five plain numbers, fitted on published series, holds for the others. How much the base counts follows from
 * how much was measured on the target and how near. Written by training/affinity_model/final_stage.py.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { MostlyMeasured, type WideNumbers } from './wide-model.ts'

const FinalStage = z.object({
  /** A protein that shares this much with a training target is taken for it. */
  sameTargetFrom: z.number(),
  /** Below the first similarity analogues say nothing, from the second on all that they say counts. */
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
   * How much the base counts, at knots of measured compounds × similarity; between them it follows straight lines. Where
   * nothing was measured on the target the similarity is that of the nearest compound anywhere.
   */
  base: z.object({
    labelKnots: z.array(z.number()),
    similarityKnots: z.array(z.number()),
    /** Of a compound known from other targets, by the nearest anywhere: from the first similarity on more, at the second all. */
    knownCompound: z.tuple([z.number(), z.number()]),
    shares: z.array(z.array(z.number())),
  }),
  calibration: z.object({
    /** Upper ends of all bins but the last. */
    labelEdges: z.array(z.number()),
    similarityEdges: z.array(z.number()),
    /** Half of the interval in pK, by what is mostly measured on the target, by bin of measured compounds, then of similarity. */
    halfWidths: z.record(MostlyMeasured, z.array(z.array(z.number()))),
  }),
})
export type FinalStage = z.infer<typeof FinalStage>

export type Known = WideNumbers & {
  /** pKd of the base model. */
  base: number
  /** What the base model has measured on the target, panels and bounds among it, and how near. */
  labelsOfBase: number
  similarityOfBase: number
  /** Tanimoto of the nearest compound that the base model was trained on, on any target. */
  compoundSimilarity: number
  heavyAtoms: number
  /** Crippen's. */
  logp: number
  /** No number is above: what compounds of its size reach. */
  highest: number
}

export function readFinalStage(directory: string): FinalStage {
  return FinalStage.parse(JSON.parse(readFileSync(join(directory, 'final-stage.json'), 'utf8')))
}

/** Strata go by all that was measured on the target, as the base model or the analogues have it. */
export function finish(stage: FinalStage, known: Known) {
  const share = shareOfBase(stage, known)
  const mixed = share * known.base + (1 - share) * stacked(stage, known)
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

function stacked({ stack, analoguesHeard: [from, wholly] }: FinalStage, known: Known): number {
  const heard = between([from, wholly], [0, 1], known.similarity)
  return (
    stack.constant +
    stack.heavyAtoms * known.heavyAtoms +
    stack.logp * known.logp +
    stack.pooled * known.pooled +
    stack.analogues * heard * known.analogues +
    stack.kernel * known.kernel
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

/** Straight lines between knots, level beyond the ends. */
function between(knots: number[], values: number[], x: number): number {
  const above = knots.findIndex((knot) => x < knot)
  if (above === -1) return values.at(-1) ?? 0
  const [low, high] = [knots[above - 1], knots[above] ?? 0]
  const upper = values[above] ?? 0
  if (low === undefined) return upper
  const lower = values[above - 1] ?? 0
  return lower + ((upper - lower) * (x - low)) / (high - low)
}

/** The first bin whose upper end is above the value. */
function binOf(edges: number[], value: number): number {
  const bin = edges.findIndex((edge) => value < edge)
  return bin === -1 ? edges.length : bin
}
