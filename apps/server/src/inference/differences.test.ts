/** The trees on disk agree with LightGBM, are antisymmetric, and return the mean over the anchors. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openRdkit } from '@pkdex/biochem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { chooseAnchors, openDifferences } from './differences.ts'

const directory = fileURLToPath(new URL('../../../../models/current', import.meta.url))
const Golden = z.object({ smiles: z.array(z.string()), differences: z.array(z.array(z.number())) })
const file = await readFile(`${directory}/differences-golden.json`, 'utf8')
const { smiles, differences } = Golden.parse(JSON.parse(file))
const compare = openDifferences(directory, await openRdkit())

test('compounds differ by what LightGBM computed, within 0.001', async () => {
  expect(differences).toHaveLength(smiles.length)
  for (const [at, anchor] of smiles.entries()) {
    const found = await compare({ smiles, anchors: [anchor] })
    for (const [row, one] of found.entries()) {
      expect(Math.abs(one - (differences[row]?.[at] ?? NaN))).toBeLessThan(1e-3)
    }
  }
  expect(Math.max(...differences.flat())).toBeGreaterThan(0.5)
})

test('swapping two compounds changes the sign of their difference, and a compound differs from itself by 0', async () => {
  const [one = '', , other = ''] = smiles
  const [there = NaN] = await compare({ smiles: [one], anchors: [other] })
  const [back = NaN, itself] = await compare({ smiles: [other, one], anchors: [one] })
  expect(Math.abs(there)).toBeGreaterThan(0.01)
  expect(back).toBeCloseTo(-there, 3)
  expect(itself).toBe(0)
})

test('several anchors count equally, and neither their order nor other compounds matter', async () => {
  const anchors = smiles.slice(0, 4)
  const alone = await Promise.all(anchors.map((anchor) => compare({ smiles, anchors: [anchor] })))
  const together = await compare({ smiles, anchors })
  for (const [row, found] of together.entries()) {
    const mean = alone.reduce((sum, column) => sum + (column[row] ?? NaN), 0) / anchors.length
    expect(found).toBeCloseTo(mean, 3)
  }
  const many = Array.from({ length: 60 }, (_, at) => smiles[at % smiles.length] ?? '')
  const answered = await compare({ smiles: many, anchors: anchors.toReversed() })
  expect(answered.map((one) => one.toFixed(3))).toEqual(
    many.map((_, at) => (together[at % smiles.length] ?? NaN).toFixed(3)),
  )
})

test('anchors are all compounds of a small screen, and 50 of a large one, evenly spaced', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => String(at))
  expect(chooseAnchors([])).toEqual([])
  expect(chooseAnchors(numbered(1))).toEqual(['0'])
  expect(chooseAnchors(numbered(50))).toEqual(numbered(50))
  const many = chooseAnchors(numbered(5000)).map(Number)
  expect(many).toHaveLength(50)
  expect([many[0], many.at(-1)]).toEqual([0, 4999])
  const steps = many.slice(1).map((place, at) => place - (many[at] ?? 0))
  expect([Math.min(...steps), Math.max(...steps)]).toEqual([102, 103])
})
