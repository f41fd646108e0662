/**
 * Uses another tool's score (docking, free-energy perturbation, a colleague's model) with own values. Its slope is one
 * more term of the own-values process, with a prior; predictions with and without it are averaged by evidence. Whether
 * it is informative is judged on the part explained by neither size nor prediction (decision 097).
 */
import { kernelDescriptorNames } from '@pkdex/biochem'
import { normalBelow } from './bounds.ts'
import {
  type Estimate,
  errorOf,
  narrowed,
  NORMAL_95,
  openKernel,
  type OwnValue,
  type Updated,
} from './own-values.ts'
import type { OwnValuesSettings } from './own-values-settings.ts'
import { dot, factorise, solve } from './triangular.ts'

/** The score of a compound, higher for stronger; null without one. */
export type Scored<Of extends Estimate = Estimate> = Of & { score: number | null }

type ScoreVerdict = 'yes' | 'no' | 'cannot tell yet'

export type OtherScore = {
  verdict: ScoreVerdict
  /** In pK per standard deviation of the part explained by neither size nor prediction; 95% interval. */
  slope: { mean: number; lower: number; upper: number }
  /** From 0 to 1: weight of the predictions with the score in the average. */
  weight: number
  /** With the score; `plain`: the same compounds without it, in order. A compound without a score is unchanged. */
  blend(others: Scored[], plain: Updated[]): Updated[]
}

/** Minimum own values with a score for a verdict. */
const SCORED_MIN = 5
/** In pK per standard deviation of the score: the slope's prior. */
const PRIOR = { mean: 0.25, variance: 0.35 ** 2 }
const YES_FROM = 0.95
/** A slope below this, in pK per standard deviation, is useless. */
const USELESS = 0.1

/**
 * `all`: every compound with a score, measured ones included; they define what is high. Null if fewer than five own
 * values have a score, or all scores are equal.
 */
export function fitOtherScore(
  own: Scored<OwnValue>[],
  all: Scored[],
  settings: OwnValuesSettings,
): OtherScore | null {
  const standardise = openScale(all)
  const known = own.filter(({ score }) => score !== null)
  if (standardise === null || known.length < SCORED_MIN) return null
  const base = openProcess(own, settings, null)
  const scored = openProcess(own, settings, standardise)
  const weight = 1 / (1 + Math.exp(base.evidence - scored.evidence))
  return {
    ...judgeOwnPart(own, { all, standardise, factor: base.factor }),
    weight,
    blend: (others, plain) =>
      others.map((one, place) => {
        const without = plain[place] ?? one
        if (one.score === null) return without
        return average(scored.predict(one), without, { weight, widest: one.halfWidth })
      }),
  }
}

/** A compound without a score is at the mean. */
type Standardise = (score: number | null) => number

function openScale(all: Scored[]): Standardise | null {
  const scores = all.flatMap(({ score }) => score ?? [])
  const mean = meanOf(scores)
  const deviation = Math.sqrt(meanOf(scores.map((score) => (score - mean) ** 2)))
  if (!(deviation > 0)) return null
  return (score) => (score === null ? 0 : (score - mean) / deviation)
}

/** Errors are in standard deviations of the model, and so is the slope. */
function deviationOf({ halfWidth }: Estimate): number {
  return halfWidth / NORMAL_95
}

/** The own-values process with or without a term for the score. */
function openProcess(
  own: Scored<OwnValue>[],
  settings: OwnValuesSettings,
  standardise: Standardise | null,
) {
  const kernel = openKernel(own, settings)
  const leverOf = (one: Scored) => (standardise?.(one.score) ?? 0) / deviationOf(one)
  const levers = Float64Array.from(own, leverOf)
  const covariancesOf = (one: Scored) => {
    const lever = PRIOR.variance * leverOf(one)
    return kernel(one).map((covariance, at) => covariance + lever * (levers[at] ?? 0))
  }
  const factor = factorise(own.map(covariancesOf), settings.shares.noise)
  const errors = own.map((one, at) => errorOf(one) * NORMAL_95 - PRIOR.mean * (levers[at] ?? 0))
  const solved = solve(factor, [Float64Array.from(errors)])
  const squares = dot(solved, solved)
  return {
    factor,
    evidence: -squares / 2 - factor.reduce((sum, row, at) => sum + Math.log(row[at] ?? 1), 0),
    predict(one: Scored): Updated {
      const side = solve(factor, [covariancesOf(one)])
      const lever = leverOf(one)
      const moved = PRIOR.mean * lever + dot(side, solved)
      const known = { count: own.length, scatter: squares / NORMAL_95 ** 2 }
      const left = 1 + PRIOR.variance * lever ** 2 - dot(side, side)
      return {
        predicted: one.predicted + deviationOf(one) * moved,
        halfWidth: narrowed(one.halfWidth, { ...known, left }, settings),
      }
    },
  }
}

/** As wide as a mixture of both, but no wider than the model's interval. */
function average(
  withScore: Updated,
  without: Updated,
  { weight, widest }: { weight: number; widest: number },
): Updated {
  const between = NORMAL_95 ** 2 * weight * (1 - weight)
  const squares =
    weight * withScore.halfWidth ** 2 +
    (1 - weight) * without.halfWidth ** 2 +
    between * (withScore.predicted - without.predicted) ** 2
  return {
    predicted: weight * withScore.predicted + (1 - weight) * without.predicted,
    halfWidth: Math.min(Math.sqrt(squares), Math.max(widest, without.halfWidth)),
  }
}

type Judged = { all: Scored[]; standardise: Standardise; factor: Float64Array[] }

/**
 * The slope of the residual score after size and prediction, over all compounds with a score. Its prior mean is 0: with
 * the prior of the blend, one noise column in ten was called informative.
 */
function judgeOwnPart(
  own: Scored<OwnValue>[],
  { all, standardise, factor }: Judged,
): Pick<OtherScore, 'verdict' | 'slope'> {
  const scored = all.filter(({ score }) => score !== null)
  const explained = regress(
    scored.map(causesOf),
    scored.map(({ score }) => standardise(score)),
  )
  const levers = own.map((one) => {
    if (one.score === null) return 0
    return (standardise(one.score) - explained(causesOf(one))) / deviationOf(one)
  })
  const errors = own.map((one) => errorOf(one) * NORMAL_95)
  const sides = solve(factor, [Float64Array.from(levers), Float64Array.from(errors)])
  const variance = 1 / (1 / PRIOR.variance + dot(sides, sides, 0, 0))
  const mean = variance * dot(sides, sides, 0, 1)
  const deviation = Math.sqrt(variance)
  const reach = NORMAL_95 * deviation
  return {
    slope: { mean, lower: mean - reach, upper: mean + reach },
    verdict: judge((above) => normalBelow((mean - above) / deviation)),
  }
}

function judge(chanceAbove: (slope: number) => number): ScoreVerdict {
  if (chanceAbove(0) >= YES_FROM) return 'yes'
  return chanceAbove(USELESS) <= 1 - YES_FROM ? 'no' : 'cannot tell yet'
}

const heavyAtomsAt = kernelDescriptorNames.indexOf('NumHeavyAtoms')

function causesOf({ descriptors, predicted }: Estimate): [number, number] {
  return [descriptors[heavyAtomsAt] ?? 0, predicted]
}

/** Least squares on two variables, one after the other. */
function regress(causes: [number, number][], values: number[]) {
  const means = [meanOf(causes.map(([one]) => one)), meanOf(causes.map(([, two]) => two))] as const
  const first = causes.map(([one]) => one - means[0])
  const second = causes.map(([, two]) => two - means[1])
  const overlap = slopeOf(first, second)
  const rest = second.map((value, at) => value - overlap * (first[at] ?? 0))
  const ofRest = slopeOf(rest, values)
  const ofFirst = slopeOf(first, values)
  return ([one, two]: [number, number]) => {
    const centred = one - means[0]
    return ofFirst * centred + ofRest * (two - means[1] - overlap * centred)
  }
}

/** 0 if the variable is constant. */
function slopeOf(cause: number[], values: number[]): number {
  const squares = cause.reduce((sum, value) => sum + value ** 2, 0)
  const products = cause.reduce((sum, value, at) => sum + value * (values[at] ?? 0), 0)
  return squares > Number.EPSILON ? products / squares : 0
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
}
