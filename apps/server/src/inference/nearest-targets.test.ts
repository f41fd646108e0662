/** Finds the training targets that share the most k-mers with a chain, by name. */
import { targetFeatures } from '@pkdex/biochem'
import { expect, test } from 'vitest'
import { indexTargets } from './nearest-targets.ts'

const sequence = 'PQITLWQRPLVTIKIGGQLKEALLDTGADDTVLEEMSLPGRWKPKMIGGIGGFIKVRQYDQILIEICGHKAIGTVLVG'
const whole = targetFeatures([sequence])
const half = targetFeatures([sequence.slice(0, 60)])
const other = targetFeatures([
  'MKVSAAALAVILIATALCAPASASPYSSDTTPCCFAYIARPLPRAHIKEYFYTSGKCSNPAVVFVTRKNRQVCANPEKK',
])

test('among equally similar targets the one with most measured compounds is closest', () => {
  const index = indexed([
    ['unrelated', other, 900],
    ['fragment', half, 3],
    ['whole', whole, 40],
    ['whole again', whole, 7],
  ])
  expect(index.nearest(half)).toEqual([
    { name: 'whole', similarity: 1, place: 2, measured: 40 },
    { name: 'whole again', similarity: 1, place: 3, measured: 7 },
    { name: 'fragment', similarity: 1, place: 1, measured: 3 },
  ])
  expect(index.nearest(other)[0]).toMatchObject({ name: 'unrelated', place: 0 })
})

test('lists each protein once', () => {
  const index = indexed([
    ['A', whole, 2],
    ['A', whole, 1],
    ['B', half, 9],
  ])
  expect(index.nearest(whole).map(({ name, place }) => [name, place])).toEqual([
    ['B', 2],
    ['A', 0],
  ])
})

test('the cosine of a chain with a target is its shared k-mers over the geometric mean of both', () => {
  const index = indexed([
    ['whole', whole, 2],
    ['unrelated', other, 1],
  ])
  const [same, none] = index.cosines(half)
  const [fewer, more] = [half.identity.length, whole.identity.length]
  expect(same).toBeCloseTo(fewer / Math.sqrt(fewer * more), 5)
  expect(none).toBe(0)
})

function indexed(targets: [name: string, features: typeof whole, measured: number][]) {
  return indexTargets(
    targets.map(([name, { identity }, measured]) => ({
      name,
      words: identity.length,
      measured,
      exact: measured,
      mostlyIc50: false,
    })),
    Uint32Array.from(targets.flatMap(([, { identity }]) => [...identity])),
  )
}
