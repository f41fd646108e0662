/** Ribbons pass through observed residues, and never across gaps. */
import { expect, test } from 'vitest'
import { madeChain, madeStructure, placesOf } from './fixtures/made-structures.ts'
import { palettes } from './palette.ts'
import { buildScene } from './build-scene.ts'
import { traceSegments } from './trace.ts'
import type { Structure } from '@pkdex/biochem'

const straight = madeChain(placesOf(30, (index) => [3.8 * index, 0, 0]))
const torn = madeChain(placesOf(30, (index) => [3.8 * index + (index < 12 ? 0 : 15), 0, 0]))

test('cuts a chain where the file lists missing residues', () => {
  const chain = { ...straight, gaps: [{ index: 9, missing: 4 }] }
  expect(lengths(madeStructure([chain]))).toEqual([10, 20])
})

test('cuts a chain where neighbours are too far apart to be bonded, whatever the file says', () => {
  expect(lengths(madeStructure([torn]))).toEqual([12, 18])
})

test('bridges a gap with dots, not with a ribbon', () => {
  const scene = sceneOf(madeStructure([torn]))
  expect(longestEdge(scene.mesh)).toBeLessThan(4)
  const dots = scene.balls.map((ball) => ball.place[0])
  expect(dots.length).toBeGreaterThan(5)
  expect(dots.every((x) => x > 3.8 * 11 && x < 3.8 * 12 + 15)).toBe(true)
})

test('leaves a gap empty if its ends are too far apart for a meaningful line', () => {
  const far = madeChain(placesOf(30, (index) => [3.8 * index + (index < 12 ? 0 : 90), 0, 0]))
  expect(sceneOf(madeStructure([far])).balls).toEqual([])
})

test('does not connect the end of one chain to the start of the next', () => {
  const next = madeChain(
    placesOf(10, (index) => [3.8 * (30 + index), 0, 0]),
    'B',
  )
  expect(lengths(madeStructure([straight, next]))).toEqual([30, 10])
})

test('thins a trace that is too dense to draw', () => {
  const long = madeChain(placesOf(90_000, (index) => [3.8 * index, 0, 0]))
  const [segment] = traceSegments(madeStructure([long]))
  expect(segment?.stride).toBe(4)
  expect(segment?.points.length).toBe(22_500)
})

function lengths(structure: Structure): number[] {
  return traceSegments(structure).map((segment) => segment.points.length)
}

function sceneOf(structure: Structure) {
  const detail = { tube: 0.3, stationsPerResidue: 4, stepsPerCorner: 2 }
  return buildScene(structure, traceSegments(structure), palettes.light, detail)
}

/** The longest side of any triangle along x, in Å. */
function longestEdge(mesh: ReturnType<typeof sceneOf>['mesh']): number {
  let longest = 0
  for (let at = 0; at < mesh.triangleCount * 3; at += 3) {
    const across = [0, 1, 2].map(
      (corner) => mesh.positions[(mesh.triangles[at + corner] ?? 0) * 3] ?? 0,
    )
    longest = Math.max(longest, Math.max(...across) - Math.min(...across))
  }
  return longest
}
