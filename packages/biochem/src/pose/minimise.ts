/** L-BFGS with Armijo backtracking. */
import type { Points } from './points.ts'

/** Returns the value at `x` and writes its gradient. */
export type Differentiable = (x: Points, gradient: Points) => number

export type MinimiseOptions = {
  iterations: number
  /** Maximum change of a variable in one iteration. */
  stepMax: number
  /** Ends when an iteration gains less. */
  gainMin: number
}

const MEMORY = 8
const BACKTRACKS = 10
const FIRST_STEP_MAX = 0.1

type Step = { s: Points; y: Points; rho: number }

/** Changes `x` in place and returns the value reached. */
export function minimise(x: Points, f: Differentiable, options: MinimiseOptions): number {
  let gradient = new Float64Array(x.length)
  let nextGradient = new Float64Array(x.length)
  const next = new Float64Array(x.length)
  const memory: Step[] = []

  /** Searches along the direction until the value falls enough; null if it does not. */
  function search(direction: Points, from: number): number | null {
    const slope = dot(direction, gradient)
    let length = firstLength(direction, memory.length > 0 ? options.stepMax : FIRST_STEP_MAX)
    for (let tries = 0; tries < BACKTRACKS; tries++) {
      next.set(x)
      addTo(next, direction, length)
      const reached = f(next, nextGradient)
      if (reached <= from + 1e-4 * length * slope) return reached
      length *= 0.4
    }
    return null
  }

  let value = f(x, gradient)
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    const direction = descentDirection(gradient, memory)
    if (longestOf(direction) < 1e-6) break
    const lower = search(direction, value)
    if (lower === null && memory.length === 0) break
    if (lower === null) {
      memory.length = 0
      continue
    }
    remember(memory, difference(next, x), difference(nextGradient, gradient))
    const gain = value - lower
    value = lower
    x.set(next)
    ;[gradient, nextGradient] = [nextGradient, gradient]
    if (gain < options.gainMin && iteration > 3) break
  }
  return value
}

function longestOf(direction: Points): number {
  return direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0)
}

function firstLength(direction: Points, stepMax: number): number {
  return Math.min(1, stepMax / longestOf(direction))
}

/** The two-loop recursion; steepest descent if the memory gives no descent direction. */
function descentDirection(gradient: Points, memory: Step[]): Points {
  const direction = gradient.map((g) => -g)
  const newest = memory.at(-1)
  if (newest === undefined) return direction
  const alphas = memory.map(() => 0)
  for (let k = memory.length - 1; k >= 0; k--) {
    const { s, y, rho } = memory[k] as Step
    alphas[k] = rho * dot(s, direction)
    addTo(direction, y, -(alphas[k] as number))
  }
  const scale = 1 / (newest.rho * dot(newest.y, newest.y))
  for (let i = 0; i < direction.length; i++) direction[i] = (direction[i] as number) * scale
  for (const [k, { s, y, rho }] of memory.entries()) {
    addTo(direction, s, (alphas[k] as number) - rho * dot(y, direction))
  }
  if (dot(direction, gradient) < 0) return direction
  memory.length = 0
  return gradient.map((g) => -g)
}

function remember(memory: Step[], s: Points, y: Points): void {
  const curvature = dot(s, y)
  if (curvature <= 1e-10) return
  memory.push({ s, y, rho: 1 / curvature })
  if (memory.length > MEMORY) memory.shift()
}

function difference(one: Points, other: Points): Points {
  return one.map((value, i) => value - (other[i] as number))
}

function addTo(sum: Points, values: Points, factor: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + factor * (values[i] as number)
}

function dot(one: Points, other: Points): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}
