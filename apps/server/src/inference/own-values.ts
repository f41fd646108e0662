/**
 * Conditions predictions for a target on a user's measured values: rows of a new assay with the terms of the model, an
 * offset of the assay, what similar compounds share, and noise. Errors are in units of half-widths, which hold what public
 * values left open. Without values nothing changes. Intervals get narrower near own values, more so if they scatter little.
 */
import { invertSets } from './inverted-index.ts'
import type { OwnValuesSettings } from './own-values-settings.ts'
import { ABREAST, dot, factorise, solve } from './triangular.ts'

/** A prediction before the adjustment by own values. */
export type Estimate = {
  predicted: number
  /** Its half-width. Errors are compared in units of it. */
  halfWidth: number
  /** The set bits of the compound's fingerprint. */
  bits: number[]
  /** In the order of `kernelDescriptorNames`. */
  descriptors: ArrayLike<number>
}

export type OwnValue = Estimate & { measured: number }

export type Updated = { predicted: number; halfWidth: number }

/** Returns one update per estimate, in order. */
export type UpdateEstimates = (others: Estimate[]) => Updated[]

/** Prepares everything that does not depend on the estimates. */
export function fitOwnValues(own: OwnValue[], settings: OwnValuesSettings): UpdateEstimates {
  const kernel = openKernel(own, settings)
  const factor = factorise(own.map(kernel), settings.shares.noise)
  const solved = solve(factor, [Float64Array.from(own, errorOf)])
  const scatter = dot(solved, solved)
  return (others) => {
    const updated: Updated[] = []
    for (let start = 0; start < others.length; start += ABREAST) {
      const some = others.slice(start, start + ABREAST)
      const sides = solve(factor, some.map(kernel))
      for (const [side, { predicted, halfWidth }] of some.entries()) {
        const left = 1 - dot(sides, sides, side, side)
        const known = { count: own.length, scatter, left }
        updated.push({
          predicted: predicted + halfWidth * dot(sides, solved, side),
          halfWidth: narrowed(halfWidth, known, settings),
        })
      }
    }
    return updated
  }
}

/** One update per estimate, in order. */
export function updateByOwnValues(
  own: OwnValue[],
  others: Estimate[],
  settings: OwnValuesSettings,
): Updated[] {
  return fitOwnValues(own, settings)(others)
}

/** Leave-one-out: predicts each measured value from the others. */
export function leaveOneOut(own: OwnValue[], settings: OwnValuesSettings): Updated[] {
  const kernel = openKernel(own, settings)
  const factor = factorise(own.map(kernel), settings.shares.noise)
  const errors = solve(factor, [Float64Array.from(own, errorOf)])
  const scatter = dot(errors, errors)
  let units: Float64Array = new Float64Array()
  return own.map((value, place) => {
    // A column of the factor's inverse: its square is the precision of the error given all others.
    const side = place % ABREAST
    if (side === 0) units = solve(factor, unitsFrom(place, own.length))
    const precision = dot(units, units, side, side)
    const weighed = dot(units, errors, side)
    return {
      predicted: value.predicted + value.halfWidth * (errorOf(value) - weighed / precision),
      halfWidth: narrowed(
        value.halfWidth,
        {
          count: own.length - 1,
          scatter: scatter - weighed ** 2 / precision,
          left: 1 / precision,
        },
        settings,
      ),
    }
  })
}

/** Columns of the unit matrix, solved together. */
function unitsFrom(first: number, size: number): Float64Array[] {
  return Array.from({ length: Math.min(ABREAST, size - first) }, (_, side) => {
    const unit = new Float64Array(size)
    unit[first + side] = 1
    return unit
  })
}

/** The error of a prediction, in half-widths of its interval. */
export function errorOf({ measured, predicted, halfWidth }: OwnValue): number {
  return (measured - predicted) / halfWidth
}

/** The covariances of a compound with each own one. */
export function openKernel(own: OwnValue[], settings: OwnValuesSettings) {
  const known = invertSets(own.map(({ bits }) => bits))
  const { assay, near, rest, power } = settings.shares
  const standardise = ({ descriptors }: Estimate) =>
    Float64Array.from(
      settings.descriptors,
      ({ mean, deviation }, at) => ((descriptors[at] ?? 0) - mean) / deviation,
    )
  const standardised = own.map(standardise)

  // An index loop on purpose: a callback takes several times as long.
  return (compound: Estimate): Float64Array => {
    const { bits } = compound
    const common = known.countShared(bits)
    const descriptors = standardise(compound)
    const covariances = new Float64Array(common.length)
    for (let place = 0; place < common.length; place += 1) {
      const shared = common[place] ?? 0
      const either = bits.length + (known.sizes[place] ?? 0) - shared
      const tanimoto = shared / Math.max(either, 1)
      const likeness = likenessOf(descriptors, standardised[place] as Float64Array)
      covariances[place] = assay + near * tanimoto ** power + rest * likeness
    }
    return covariances
  }
}

/** 1 for equal descriptors, towards 0 with distance. */
function likenessOf(one: Float64Array, other: Float64Array): number {
  let squares = 0
  for (let at = 0; at < one.length; at += 1) {
    squares += ((one[at] as number) - (other[at] as number)) ** 2
  }
  return Math.exp(-squares / one.length)
}

type Known = {
  /** The number of own values. */
  count: number
  /** Squared errors of the own values, whitened: about 0.26 per value if they are as large as the model expects. */
  scatter: number
  /** Remaining variance, of 1, given the own values. */
  left: number
}

/** An error at the edge of the model's interval is this many standard deviations. */
export const NORMAL_95 = 1.959964

/** No value widens an interval beyond that of the model. */
export function narrowed(
  halfWidth: number,
  { count, scatter, left }: Known,
  { width: { factor, priorCount } }: OwnValuesSettings,
): number {
  if (count === 0) return halfWidth
  const scale = (priorCount + scatter * NORMAL_95 ** 2) / (priorCount + count)
  return halfWidth * Math.min(factor * Math.sqrt(scale * Math.max(left, 0)), 1)
}
