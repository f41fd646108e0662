/** Fills balls into the samples they cover, each exactly round at any size; the nearest thing stays. */
import type { Projection } from '../view/camera.ts'
import type { SampleGrid } from './sample-grid.ts'

/** A ball is never smaller than this, in samples: an atom far from all others still shows. */
const RADIUS_MIN = 1.5

type Ball = Projection['balls'][number]

export function fillBalls(samples: SampleGrid, { balls, scale }: Projection): void {
  for (const ball of balls) {
    if (samples.budget <= 0) return
    fillBall(samples, { ...ball, radius: Math.max(RADIUS_MIN, ball.radius) }, scale)
  }
}

function fillBall(samples: SampleGrid, ball: Ball, scale: number): void {
  const { x, y, radius } = ball
  const left = Math.max(0, Math.ceil(x - radius - 0.5))
  const right = Math.min(samples.width - 1, Math.floor(x + radius - 0.5))
  const top = Math.max(0, Math.ceil(y - radius - 0.5))
  const bottom = Math.min(samples.height - 1, Math.floor(y + radius - 0.5))
  if (left > right || top > bottom) return
  samples.budget -= (right - left + 1) * (bottom - top + 1)
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const across = (column + 0.5 - x) / radius
      const above = (y - row - 0.5) / radius
      const rest = 1 - across * across - above * above
      if (rest <= 0) continue
      fillSample(samples, row * samples.width + column, ball, [across, above, rest, scale])
    }
  }
}

function fillSample(
  samples: SampleGrid,
  index: number,
  { depth: middle, radius, colour }: Ball,
  [across, above, rest, scale]: readonly [number, number, number, number],
): void {
  const towards = Math.sqrt(rest)
  const depth = middle + (towards * radius) / scale
  if (depth <= (samples.depth[index] ?? 0)) return
  const at = index * 3
  samples.depth[index] = depth
  samples.normals[at] = across
  samples.normals[at + 1] = above
  samples.normals[at + 2] = towards
  samples.colours[index] = colour
}
