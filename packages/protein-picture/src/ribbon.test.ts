/** Loops are round, helices flat, and strands end in an arrow head that points to the end of the chain. */
import { expect, test } from 'vitest'
import { shapeStations } from './ribbon.ts'
import type { SecondaryKind } from './backbone.ts'

const style = { tube: 0.3, stationsPerResidue: 8, isNucleic: false }

test('draws a loop with a round cross-section', () => {
  const inner = stations('coil', 6).filter((station) => station.facing === 0)
  expect(inner.every(({ shape }) => shape.width === shape.thickness)).toBe(true)
})

test('draws a helix several times wider than thick in its middle, and as a loop at its ends', () => {
  const inner = stations('helix', 8).filter((station) => station.facing === 0)
  const middle = inner[Math.floor(inner.length / 2)]?.shape
  expect((middle?.width ?? 0) / (middle?.thickness ?? 1)).toBeGreaterThan(4)
  expect(inner[0]?.shape.width).toBeCloseTo(style.tube)
})

test('widens a strand abruptly into an arrowhead', () => {
  const widths = stations('strand', 8)
    .filter((station) => station.facing === 0)
    .map(({ at, shape }) => ({ at, width: shape.width }))
  const shoulder = widths.reduce((widest, here) => (here.width > widest.width ? here : widest))
  const before = widths.findLast(({ at, width }) => at === shoulder.at && width < shoulder.width)
  expect(shoulder.width / (before?.width ?? 0)).toBeGreaterThan(1.4)
  expect(shoulder.at).toBeGreaterThan(4)
  expect(widths.at(-1)?.width).toBeLessThan(0.3)
})

test('closes both ends with an outward face', () => {
  const all = stations('coil', 4)
  expect(all[0]).toMatchObject({ facing: -1, shape: { width: 0 } })
  expect(all.at(-1)).toMatchObject({ facing: 1, shape: { width: 0 } })
})

test('draws no ribbon for a single point', () => {
  expect(stations('coil', 1)).toEqual([])
})

function stations(kind: SecondaryKind, count: number) {
  const points = Array.from({ length: count }, (_, index) => ({
    place: [3.8 * index, 0, 0] as const,
    oxygen: null,
    kind,
  }))
  return shapeStations(points, style)
}
