/** The common part of two molecules is marked on both. */
import { expect, test } from 'vitest'
import { succeeded } from '../fixtures/results.ts'
import { drawPlaced } from '../draw/draw-molecule.ts'
import { commonPart } from './common-part.ts'
import { openRdkit } from './rdkit.ts'

const rdkit = await openRdkit()

test('the same molecule in another SMILES is common as a whole', () => {
  const { one, other } = commonPart(rdkit, 'CC(=O)Oc1ccccc1C(=O)O', 'OC(=O)c1ccccc1OC(C)=O')
  expect(one).toHaveLength(13)
  expect(other).toHaveLength(13)
})

test('a substituent of only one molecule is left out', () => {
  expect(commonPart(rdkit, 'c1ccccc1Cl', 'c1ccccc1')).toEqual({
    one: [0, 1, 2, 3, 4, 5],
    other: [0, 1, 2, 3, 4, 5],
  })
})

test('a ring is common as a whole or not at all', () => {
  const { one } = commonPart(rdkit, 'C1CCCC1', 'C1CCCCC1')
  expect(one).toEqual([])
})

test('every atom has a position within the picture', () => {
  const picture = { width: 640, height: 480, theme: 'light' } as const
  const drawn = succeeded(drawPlaced(rdkit, 'CC(=O)Oc1ccccc1C(=O)O', picture))
  expect(drawn.atoms.map(({ element }) => element).join('')).toBe('CCOOCCCCCCCOO')
  for (const { x, y } of drawn.atoms) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(640)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(480)
  }
  expect(drawn.svg).not.toContain('ellipse')
})
