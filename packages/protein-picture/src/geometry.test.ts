/** Nearby points are found, and many coinciding points cost no more than a few. */
import { expect, test } from 'vitest'
import { placesOf } from './fixtures/made-structures.ts'
import { type Vector, buildSpatialGrid, visitNear } from './geometry.ts'

test('finds every point within a cell size, across cell borders and below zero', () => {
  const points = placesOf(21, (index) => [index - 10, 0, 0])
  expect(near(points, [-0.5, 0, 0], 3)).toEqual(expect.arrayContaining([7, 8, 9, 10, 11, 12]))
})

test('visits a bounded number of points however many coincide', () => {
  const heap = placesOf(50_000, () => [1, 2, 3])
  expect(near(heap, [1, 2, 3], 3).length).toBe(8)
})

test('finds points at huge coordinates', () => {
  const points: Vector[] = [
    [9_999_999, -999_999, 9_999_999],
    [9_999_998, -999_999, 9_999_999],
  ]
  expect(near(points, points[0] ?? [0, 0, 0], 3)).toEqual(expect.arrayContaining([0, 1]))
})

function near(points: Vector[], place: Vector, cellSize: number): number[] {
  const found: number[] = []
  visitNear(buildSpatialGrid(points, { cellSize, perCellMax: 8 }), place, (index) => {
    found.push(index)
  })
  return found
}
