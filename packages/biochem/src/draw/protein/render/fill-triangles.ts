/** Fills the triangles of a projected mesh into the samples they cover; the nearest one stays. */
import type { Mesh } from '../scene/mesh.ts'
import type { SampleGrid } from './sample-grid.ts'

export function fillTriangles(samples: SampleGrid, mesh: Mesh): void {
  const { triangles, triangleCount } = mesh
  for (let at = 0; at < triangleCount * 3 && samples.budget > 0; at += 3) {
    const a = triangles[at] ?? 0
    const b = triangles[at + 1] ?? 0
    const c = triangles[at + 2] ?? 0
    // Counter-clockwise from outside turns clockwise where y points down; the rest are far sides.
    const area = doubleArea(mesh, a, b, c)
    if (area > 1e-9) fillTriangle(samples, mesh, { a, b, c, area })
  }
}

type Triangle = { a: number; b: number; c: number; area: number }

/** Places in samples, one number each. */
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
 * Walks over the box around a triangle. The shares of its corners a and b at a sample are linear in the
 * place, so each step adds a constant; a sample is inside where no share is negative.
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
        fillSample(samples, mesh, triangle, { index, shareA, shareB })
      }
      shareA += stepA
      shareB += stepB
    }
  }
}

function fillSample(
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
