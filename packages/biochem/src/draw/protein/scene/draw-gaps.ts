/** Adds dots where a file leaves residues out: the chain goes on, but nobody saw where. */
import type { Drawing } from './drawing.ts'
import type { Stretch } from '../trace/trace.ts'
import { distance, mix, type Vector } from '../trace/vector.ts'

/** Distances in Å that a dotted line makes clear; longer ones would only confuse. */
const LENGTH_MIN = 4
const LENGTH_MAX = 30
const SPACING = 1.6

export function drawGaps(drawing: Drawing, stretches: readonly Stretch[]): void {
  for (const [index, stretch] of stretches.entries()) {
    const before = stretches[index - 1]
    const from = before?.points.at(-1)?.place
    const to = stretch.points[0]?.place
    if (from && to && before?.chain === stretch.chain) drawDots(drawing, from, to)
  }
}

function drawDots({ scene, palette, detail }: Drawing, from: Vector, to: Vector): void {
  const length = distance(from, to)
  if (length < LENGTH_MIN || length > LENGTH_MAX) return
  const steps = Math.round(length / SPACING)
  const radius = detail.tube * 0.8
  for (let step = 1; step < steps; step++) {
    scene.balls.push({ place: mix(from, to, step / steps), radius, colour: palette.gap })
  }
}
