/** A structure is rotated to show its broad side, and is never mirrored. */
import { expect, test } from 'vitest'
import { placesOf, seededNumbers } from './fixtures/made-structures.ts'
import { chooseOrientation, turnToFill, viewOf } from './orientation.ts'
import { cross, dot, type Vector } from './geometry.ts'

/** A tilted slab, 80 by 30 by 8 Å; the first point is one of its ends. */
const slab = slabPlaces()

test('puts the longest axis across a wide picture and up in a tall one, and the shortest towards the viewer', () => {
  const wide = extents(chooseOrientation(subject(), false))
  expect(wide[0]).toBeGreaterThan(wide[1])
  expect(wide[1]).toBeGreaterThan(wide[2])
  const tall = extents(chooseOrientation(subject(), true))
  expect(tall[1]).toBeGreaterThan(tall[0])
})

test('rotates without mirroring', () => {
  for (const focus of [[], slab.slice(0, 9)]) {
    const { right, up, front } = chooseOrientation(subject(focus), false)
    expect(dot(cross(right, up), front)).toBeCloseTo(1)
  }
})

test('puts the ligand on the viewer’s side', () => {
  const plain = chooseOrientation(subject(), false)
  for (const side of [1, -1]) {
    const focus = placesOf(8, (index) => placeAt(plain, [index, 0, 5 * side]))
    const turned = chooseOrientation(subject(focus), false)
    expect(viewOf(turned, focus[0] ?? [0, 0, 0])[2]).toBeGreaterThan(0)
  }
})

test('rotates a rod to the diagonal of a square frame, and keeps it level in a wide one', () => {
  const rod = placesOf(50, (index) => [index, index % 3, 0])
  const level = chooseOrientation({ points: rod, focus: [], cover: [] }, false)
  const square = turnToFill(level, rod, { width: 100, height: 100 })
  expect(Math.abs(dot(square.right, level.right))).toBeLessThan(0.95)
  expect(dot(cross(square.right, square.up), square.front)).toBeCloseTo(1)
  expect(turnToFill(level, rod, { width: 200, height: 50 })).toBe(level)
})

test('handles a single point', () => {
  const { right, up, front } = chooseOrientation(
    { points: [[5, 5, 5]], focus: [], cover: [] },
    false,
  )
  expect(dot(cross(right, up), front)).toBeCloseTo(1)
})

function subject(focus: readonly Vector[] = []) {
  return { points: slab, focus, cover: slab }
}

type Orientation = ReturnType<typeof chooseOrientation>

function extents(orientation: Orientation): Vector {
  const seen = slab.map((place) => viewOf(orientation, place))
  const size = (axis: 0 | 1 | 2) =>
    Math.max(...seen.map((view) => view[axis])) - Math.min(...seen.map((view) => view[axis]))
  return [size(0), size(1), size(2)]
}

function placeAt({ centre, right, up, front }: Orientation, [x, y, z]: Vector): Vector {
  const along = (axis: 0 | 1 | 2) => centre[axis] + right[axis] * x + up[axis] * y + front[axis] * z
  return [along(0), along(1), along(2)]
}

function slabPlaces(): Vector[] {
  const next = seededNumbers()
  return placesOf(600, () => {
    const [a, b, c] = [80 * next(), 30 * next(), 8 * next()]
    return [0.6 * a - 0.8 * b, 0.8 * a + 0.6 * b, c + 0.2 * a]
  })
}
