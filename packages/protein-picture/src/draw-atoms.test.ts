/** Bonds connect the atoms that are bonded chemically. */
import { expect, test } from 'vitest'
import { placesOf } from './fixtures/made-structures.ts'
import { findBonds } from './draw-atoms.ts'
import type { Vector } from './geometry.ts'

test('connects atoms at bonding distance, and not across a ring', () => {
  const ring = placesOf(6, (index) => {
    const angle = (index * Math.PI) / 3
    return [1.39 * Math.cos(angle), 1.39 * Math.sin(angle), 0]
  })
  expect(findBonds(ring.map((place) => atom('C', place))).length).toBe(6)
})

test('lets larger atoms bond at a larger distance', () => {
  const bonds = (first: string, second: string) =>
    findBonds([atom(first, [0, 0, 0]), atom(second, [1.94, 0, 0])]).length
  expect(bonds('C', 'BR')).toBe(1)
  expect(bonds('C', 'O')).toBe(0)
})

test('tests a bounded number of partners per atom in a dense cluster', () => {
  const heap = placesOf(20_000, (index) => [(index % 2) * 0.9, 0.1, 0.1])
  expect(findBonds(heap.map((place) => atom('C', place))).length).toBeLessThan(20_000 * 16)
})

function atom(element: string, place: Vector) {
  return { element, place, colour: 0 }
}
