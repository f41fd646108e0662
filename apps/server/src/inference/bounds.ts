/**
 * Bounds among own values (`< 10 nM`, `> 10 µM`): a bound counts as its compound's expected value, given all other
 * values and the bound. A bound that is almost certainly satisfied adds no information.
 */
import { errorOf, NORMAL_95, openKernel, type OwnValue } from './own-values.ts'
import type { OwnValuesSettings } from './own-values-settings.ts'
import { dot, factorise, solve } from './triangular.ts'

/** `upper`: the true value is at most `measured`; `lower`: it is at least `measured`. */
export type BoundedValue = OwnValue & { bound: 'upper' | 'lower' | null }

/** A bound that is less likely than this to be violated adds no information. */
const BROKEN_MIN = 0.1
const SWEEPS_MAX = 200
const SETTLED = 1e-6

/** The exact values, and the informative bounds with their expected values, in input order. */
export function expectBounds<Value extends BoundedValue>(
  values: Value[],
  settings: OwnValuesSettings,
): Value[] {
  const exact = values.filter(({ bound }) => bound === null)
  const bounds = values.filter(({ bound }) => bound !== null)
  if (bounds.length === 0) return values
  const expected = new Map<Value, Expected>()
  for (const [at, one] of expectErrors(exact, bounds, settings).entries()) {
    const value = bounds[at]
    if (value !== undefined) expected.set(value, one)
  }
  return values.flatMap((value) => {
    const found = expected.get(value)
    if (found === undefined) return [value]
    if (found.broken < BROKEN_MIN) return []
    return [{ ...value, measured: value.predicted + value.halfWidth * found.error }]
  })
}

/** `error` in half-widths; `broken`: probability that the bound is violated, given all other values. */
type Expected = { error: number; broken: number }

/** Iterates: each bound is estimated from the others and the exact values, until nothing changes. */
function expectErrors(
  exact: OwnValue[],
  bounds: BoundedValue[],
  settings: OwnValuesSettings,
): Expected[] {
  const { means, precisions } = givenExact(exact, bounds, settings)
  const expected = means.map((error): Expected => ({ error, broken: 0 }))
  for (let sweep = 0, change = Infinity; sweep < SWEEPS_MAX && change > SETTLED; sweep += 1) {
    change = 0
    for (const [at, value] of bounds.entries()) {
      const row = precisions[at] ?? []
      const precision = row[at] ?? 1
      const pull = row.reduce(
        (sum, one, to) => sum + one * ((expected[to]?.error ?? 0) - (means[to] ?? 0)),
        0,
      )
      const before = expected[at]?.error ?? 0
      const free = before - pull / precision
      const one = truncate(free, 1 / (NORMAL_95 * Math.sqrt(precision)), value)
      change = Math.max(change, Math.abs(one.error - before))
      expected[at] = one
    }
  }
  return expected
}

/** The mean of a normal distribution truncated at the bound. */
function truncate(mean: number, deviation: number, value: BoundedValue): Expected {
  const side = value.bound === 'upper' ? 1 : -1
  const edge = (side * (errorOf(value) - mean)) / deviation
  const holding = normalBelow(edge)
  const error = mean - side * deviation * meanExcess(edge, holding)
  return { error, broken: 1 - holding }
}

/**
 * The density at the bound divided by the probability below it. Far below 0 it uses a continued fraction, because that
 * probability vanishes.
 */
function meanExcess(edge: number, below: number): number {
  if (edge >= FAR_BELOW) return Math.exp(-(edge ** 2) / 2) / Math.sqrt(2 * Math.PI) / below
  const far = -edge
  return far + 1 / (far + 2 / (far + 3 / (far + 4 / far)))
}

const FAR_BELOW = -3

/** Standard normal cumulative distribution, to 7 digits (Abramowitz and Stegun 26.2.17). */
export function normalBelow(edge: number): number {
  const k = 1 / (1 + 0.231_641_9 * Math.abs(edge))
  const tail = NORMAL_TERMS.reduceRight((sum, term) => (sum + term) * k, 0)
  const above = (Math.exp(-(edge ** 2) / 2) / Math.sqrt(2 * Math.PI)) * tail
  return edge < 0 ? above : 1 - above
}

const NORMAL_TERMS = [
  0.319_381_53, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429,
] as const

/** Errors of the bounds, given the exact values: their means and the inverse of their covariance. */
function givenExact(exact: OwnValue[], bounds: OwnValue[], settings: OwnValuesSettings) {
  const { noise } = settings.shares
  const [toExact, toBounds] = [openKernel(exact, settings), openKernel(bounds, settings)]
  const known = exact.map(toExact)
  const factor = factorise(known, noise)
  const solved = solve(factor, [Float64Array.from(exact, errorOf)])
  const sides = bounds.map((bound) => solve(factor, [toExact(bound)]))
  const covariances = bounds.map((bound, at) =>
    Float64Array.from(toBounds(bound), (covariance, to) => {
      return covariance - dot(sides[at] ?? solved, sides[to] ?? solved)
    }),
  )
  return {
    means: sides.map((side) => dot(side, solved)),
    precisions: invert(factorise(covariances, noise)),
  }
}

/** The inverse of the matrix, from its Cholesky factor. */
function invert(factor: Float64Array[]): number[][] {
  const columns = factor.map((_, at) => {
    const unit = new Float64Array(factor.length)
    unit[at] = 1
    return solve(factor, [unit])
  })
  return columns.map((column) => columns.map((other) => dot(column, other)))
}
