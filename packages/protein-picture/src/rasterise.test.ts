/** The nearest surface is visible, and filling stops at a depth no real structure reaches. */
import { expect, test } from 'vitest'
import { emptySamples, fillBalls, fillTriangles } from './rasterise.ts'
import { emptyMesh } from './scene.ts'

const SIZE = 40
const RED = 0xff0000
const BLUE = 0x0000ff

test('shows the nearer of two triangles, in either order', () => {
  for (const order of [
    [RED, BLUE],
    [BLUE, RED],
  ]) {
    const samples = emptySamples(SIZE, SIZE)
    for (const colour of order) fillTriangles(samples, wholeFrame(colour, colour === RED ? 5 : -5))
    expect(samples.colours[20 * SIZE + 20]).toBe(RED)
    expect(samples.depth[20 * SIZE + 20]).toBeCloseTo(5)
  }
})

test('hides back faces', () => {
  const samples = emptySamples(SIZE, SIZE)
  const mesh = wholeFrame(RED, 0)
  mesh.triangles.reverse()
  fillTriangles(samples, mesh)
  expect(samples.depth[20 * SIZE + 20]).toBe(Number.NEGATIVE_INFINITY)
})

test('leaves no seam between triangles that share an edge', () => {
  const samples = emptySamples(SIZE, SIZE)
  const mesh = wholeFrame(RED, 0)
  mesh.positions.set([0, 0, 0, SIZE, 0, 0, 0, SIZE, 0, SIZE, SIZE, 0])
  mesh.triangles = Uint32Array.from([0, 2, 1, 1, 2, 3])
  mesh.triangleCount = 2
  fillTriangles(samples, mesh)
  expect(samples.depth.every((depth) => depth === 0)).toBe(true)
})

test('shows an atom that is smaller than a sample', () => {
  const samples = emptySamples(SIZE, SIZE)
  fillBalls(samples, projectionOf([{ x: 20, y: 20, depth: 0, radius: 1e-9, colour: BLUE }]))
  expect(samples.colours).toContain(BLUE)
})

test('stops at a depth that no real structure reaches', () => {
  const samples = emptySamples(SIZE, SIZE)
  const ball = { x: 20, y: 20, depth: 0, radius: 20, colour: RED }
  fillBalls(samples, projectionOf(Array.from({ length: 100_000 }, () => ball)))
  expect(samples.budget).toBeLessThanOrEqual(0)
  expect(samples.budget).toBeGreaterThan(-SIZE * SIZE)
})

/** One triangle that covers the frame at a depth. */
function wholeFrame(colour: number, depth: number) {
  return {
    ...emptyMesh(),
    positions: Float32Array.from([0, 0, depth, 0, 4 * SIZE, depth, 4 * SIZE, 0, depth, 0, 0, 0]),
    normals: Float32Array.from([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]),
    colours: new Uint32Array(4).fill(colour),
    triangles: Uint32Array.from([0, 1, 2]),
    vertexCount: 4,
    triangleCount: 1,
  }
}

function projectionOf(balls: Parameters<typeof fillBalls>[1]['balls']) {
  return { mesh: emptyMesh(), balls, scale: 1, nearest: 1, farthest: -1 }
}
