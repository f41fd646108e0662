/**
 * Fills triangles and balls into the samples that they cover, keeping the nearest. A budget limits the time for heavily
 * overlapping shapes.
 */
import type { Projection } from './camera.ts'
import type { Mesh } from './scene.ts'

/** What the viewer sees at each sample of the picture: depth, normal and colour. */
export type SampleGrid = {
  width: number
  height: number
  /** Å towards the viewer; minus infinity if empty. */
  depth: Float32Array
  /** Three numbers per sample; not of unit length. */
  normals: Float32Array
  /** 0xRRGGBB per sample. */
  colours: Uint32Array
  /** Remaining tests: limits the time for many overlapping shapes. */
  budget: number
}

/** Tests per sample. Pictures of 6,000 residues need 2; more means many shapes in one place. */
const TESTS_PER_SAMPLE = 24
const TESTS_MAX = 80_000_000

/** An empty grid of samples. */
export function emptySamples(width: number, height: number): SampleGrid {
  return {
    width,
    height,
    depth: new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY),
    normals: new Float32Array(width * height * 3),
    colours: new Uint32Array(width * height),
    budget: Math.min(TESTS_MAX, width * height * TESTS_PER_SAMPLE),
  }
}

/** `mesh` as projected: x and y in samples, depth in Å. Back faces are skipped. */
export function fillTriangles(samples: SampleGrid, mesh: Mesh): void {
  const { triangles, triangleCount } = mesh
  for (let at = 0; at < triangleCount * 3 && samples.budget > 0; at += 3) {
    const a = triangles[at] ?? 0
    const b = triangles[at + 1] ?? 0
    const c = triangles[at + 2] ?? 0
    // y points down, so front faces are clockwise here; the rest are back faces.
    const area = doubleArea(mesh, a, b, c)
    if (area > 1e-9) fillTriangle(samples, mesh, { a, b, c, area })
  }
}

type Triangle = { a: number; b: number; c: number; area: number }

/** Positions in samples, one number each. */
function x(mesh: Mesh, vertex: number): number {
  return mesh.positions[vertex * 3] ?? 0
}

function y(mesh: Mesh, vertex: number): number {
  return mesh.positions[vertex * 3 + 1] ?? 0
}

function depthOf(mesh: Mesh, vertex: number): number {
  return mesh.positions[vertex * 3 + 2] ?? 0
}

function doubleArea(mesh: Mesh, a: number, b: number, c: number): number {
  const acrossC = x(mesh, c) - x(mesh, a)
  const acrossB = x(mesh, b) - x(mesh, a)
  return acrossC * (y(mesh, b) - y(mesh, a)) - acrossB * (y(mesh, c) - y(mesh, a))
}

/**
 * Walks over the bounding box of a triangle. The weights of its corners a and b at a sample are linear in the position,
 * so each step adds a constant; a sample is inside if no weight is negative.
 */
function fillTriangle(samples: SampleGrid, mesh: Mesh, triangle: Triangle): void {
  const { a, b, c, area } = triangle
  const [ax, bx, cx] = [x(mesh, a), x(mesh, b), x(mesh, c)]
  const [ay, by, cy] = [y(mesh, a), y(mesh, b), y(mesh, c)]
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5))
  const right = Math.min(samples.width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5))
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5))
  const bottom = Math.min(samples.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5))
  if (left > right || top > bottom) return
  samples.budget -= (right - left + 1) * (bottom - top + 1)
  const stepA = (cy - by) / area
  const stepB = (ay - cy) / area
  for (let row = top; row <= bottom; row++) {
    const fromC = left + 0.5 - cx
    const belowC = row + 0.5 - cy
    let shareA = (fromC * (cy - by) + belowC * (bx - cx)) / area
    let shareB = (fromC * (ay - cy) + belowC * (cx - ax)) / area
    for (let column = left; column <= right; column++) {
      if (shareA >= 0 && shareB >= 0 && shareA + shareB <= 1) {
        const index = row * samples.width + column
        fillTriangleSample(samples, mesh, triangle, { index, shareA, shareB })
      }
      shareA += stepA
      shareB += stepB
    }
  }
}

function fillTriangleSample(
  samples: SampleGrid,
  mesh: Mesh,
  { a, b, c }: Triangle,
  { index, shareA, shareB }: { index: number; shareA: number; shareB: number },
): void {
  const shareC = 1 - shareA - shareB
  const depth = depthOf(mesh, a) * shareA + depthOf(mesh, b) * shareB + depthOf(mesh, c) * shareC
  if (depth <= (samples.depth[index] ?? 0)) return
  samples.depth[index] = depth
  samples.colours[index] = mesh.colours[a] ?? 0
  for (let axis = 0; axis < 3; axis++) {
    samples.normals[index * 3 + axis] =
      (mesh.normals[a * 3 + axis] ?? 0) * shareA +
      (mesh.normals[b * 3 + axis] ?? 0) * shareB +
      (mesh.normals[c * 3 + axis] ?? 0) * shareC
  }
}

// Balls are exactly round at any size.

/** Minimum radius of a ball in samples, so that a distant atom remains visible. */
const RADIUS_MIN = 1.5

type Ball = Projection['balls'][number]

/** Balls as projected; `scale` in samples per Å. */
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
      fillBallSample(samples, row * samples.width + column, ball, [across, above, rest, scale])
    }
  }
}

function fillBallSample(
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
