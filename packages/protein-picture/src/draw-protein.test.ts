/** The picture of a structure: non-empty, within its frame, deterministic, and made for each theme. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Structure, readStructure } from '@pkdex/biochem'
import { drawProtein } from './draw-protein.ts'
import {
  madeChain,
  madeLigand,
  madeStructure,
  placesOf,
  seededNumbers,
} from './fixtures/made-structures.ts'

const SIZE = { width: 160, height: 120 } as const

const protease = readFile(new URL('../../../samples/1hpv.pdb', import.meta.url))

test('draws a protein that fills most of the frame and leaves a margin', () => {
  const { rgba, width, height } = drawProtein(protease, { ...SIZE, theme: 'light' })
  expect(rgba.length).toBe(width * height * 4)
  expect(coverage(rgba)).toBeGreaterThan(0.12)
  expect(coverage(rgba)).toBeLessThan(0.7)
  expect(borderAlphas(rgba).every((alpha) => alpha === 0)).toBe(true)
})

test('reaches close to the edge on at least two sides', () => {
  const { rgba } = drawProtein(protease, { ...SIZE, theme: 'light' })
  const columns = Array.from({ length: SIZE.width }, (_, x) => isColumnUsed(rgba, x))
  expect(columns.indexOf(true)).toBeLessThan(SIZE.width * 0.08)
  expect(columns.lastIndexOf(true)).toBeGreaterThan(SIZE.width * 0.92)
})

test('draws the same bytes for the same structure', () => {
  const first = drawProtein(protease, { ...SIZE, theme: 'dark' })
  const second = drawProtein(protease, { ...SIZE, theme: 'dark' })
  expect(Buffer.from(first.rgba).equals(Buffer.from(second.rgba))).toBe(true)
})

test('shows the same shape in both themes, lighter on the dark page, with the same hues', () => {
  const [light, dark] = (['light', 'dark'] as const).map((theme) =>
    drawProtein(protease, { ...SIZE, theme }),
  )
  expect(alphas(dark?.rgba)).toEqual(alphas(light?.rgba))
  expect(sharedWarmth(light?.rgba, dark?.rgba)).toBeGreaterThan(0.9)
  const carbons = madeStructure([], [madeLigand(placesOf(6, (index) => [1.5 * index, 0, 0]))])
  const [onLight, onDark] = (['light', 'dark'] as const).map((theme) =>
    brightness(drawProtein(carbons, { ...SIZE, theme }).rgba),
  )
  expect(onDark).toBeGreaterThan((onLight ?? 255) + 60)
})

test('rejects an empty or very large picture size', () => {
  expect(() => drawProtein(protease, { width: 0, height: 120, theme: 'light' })).toThrow(/width/)
  expect(() => drawProtein(protease, { width: 160, height: 9000, theme: 'light' })).toThrow(
    /height/,
  )
})

const next = seededNumbers()

test.each([
  ['one residue', madeStructure([madeChain([[0, 0, 0]])])],
  ['two residues', madeStructure([madeChain(placesOf(2, (index) => [3.8 * index, 0, 0]))])],
  ['a chain in a straight line', madeStructure([madeChain(placesOf(9, (i) => [3.8 * i, 0, 0]))])],
  [
    'a small molecule',
    madeStructure(
      [],
      [
        madeLigand([
          [0, 0, 0],
          [1.5, 0, 0],
        ]),
      ],
    ),
  ],
  ['an ion', madeStructure([], [madeLigand([[7, 7, 7]], 'MG')])],
  ['residues a million Å apart', madeStructure([madeChain(placesOf(30, (i) => [1e6 * i, 0, 9]))])],
  ['many residues in one place', madeStructure([madeChain(placesOf(9000, () => [1, 2, 3]))])],
  [
    'many residues in 5 Å',
    madeStructure([madeChain(placesOf(9000, () => [5 * next(), 5 * next(), 5]))]),
  ],
])('draws %s', (_, structure) => {
  const { rgba } = drawProtein(structure, { ...SIZE, theme: 'light' })
  expect(coverage(rgba)).toBeGreaterThan(0.0005)
})

test('returns an empty picture if there is nothing to draw', () => {
  expect(coverage(drawProtein(madeStructure([]), { ...SIZE, theme: 'dark' }).rgba)).toBe(0)
})

function readFile(url: URL): Structure {
  const structure = readStructure(readFileSync(url, 'utf8'))
  if (!structure.ok) throw new Error(structure.reason)
  return structure.value
}

/** Share of the frame that is covered. */
function coverage(rgba: Uint8ClampedArray): number {
  return alphas(rgba).reduce((sum, alpha) => sum + alpha, 0) / 255 / (rgba.length / 4)
}

function alphas(rgba: Uint8ClampedArray = new Uint8ClampedArray()): number[] {
  return Array.from(rgba.filter((_, index) => index % 4 === 3))
}

function borderAlphas(rgba: Uint8ClampedArray): number[] {
  const { width, height } = SIZE
  return alphas(rgba).filter((_, index) => {
    const x = index % width
    const y = Math.floor(index / width)
    return x === 0 || y === 0 || x === width - 1 || y === height - 1
  })
}

function isColumnUsed(rgba: Uint8ClampedArray, x: number): boolean {
  return alphas(rgba).some((alpha, index) => index % SIZE.width === x && alpha > 0)
}

type Rgba = Uint8ClampedArray | undefined

/** Share of covered pixels that are warm (more red than blue) in both pictures, or cold in both. */
function sharedWarmth(first: Rgba, second: Rgba): number {
  const isWarm = (rgba: Rgba, at: number) => (rgba?.[at] ?? 0) > (rgba?.[at + 2] ?? 0)
  let covered = 0
  let same = 0
  for (let at = 0; at < (first?.length ?? 0); at += 4) {
    if ((first?.[at + 3] ?? 0) < 255) continue
    covered++
    if (isWarm(first, at) === isWarm(second, at)) same++
  }
  return same / covered
}

/** Mean of green over the covered pixels. */
function brightness(rgba: Uint8ClampedArray): number {
  const covered = alphas(rgba).map((alpha, index) =>
    alpha === 255 ? (rgba[index * 4 + 1] ?? 0) : -1,
  )
  const greens = covered.filter((green) => green >= 0)
  return greens.reduce((sum, green) => sum + green, 0) / greens.length
}
