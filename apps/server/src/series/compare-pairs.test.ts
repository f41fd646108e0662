import { expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { comparePairs } from './compare-pairs.ts'
import { openTrainingChanges } from './training-changes.ts'

const noTraining = { find: () => null, findOnTarget: () => null, findTarget: () => null }
const about = { training: noTraining, segments: null }
const fluorine = (from: number, to: number) => {
  return { from, to, fromGroup: '[H]*', toGroup: '*F' }
}

test('the mean change of a group covers pairs measured on both sides', () => {
  const pairs = [fluorine(0, 1), fluorine(2, 3), fluorine(4, 5)]
  const { changes, total } = comparePairs(pairs, [6, 6.5, 7, 7.9, 5, null], about)
  expect(total).toBe(1)
  expect(changes[0]).toMatchObject({
    from: '[H]*',
    to: '*F',
    measured: 2,
    mean: 0.7,
    spread: 0.283,
  })
  expect(changes[0]?.pairs.map(({ change }) => change)).toEqual([0.5, 0.9, null])
})

test('the interval of one pair uses the usual spread, and more pairs narrow it', () => {
  const widthOf = (values: number[]) => {
    const pairs = values.flatMap((_, at) => (at % 2 === 0 ? [fluorine(at, at + 1)] : []))
    const [change] = comparePairs(pairs, values, about).changes
    return (change?.upper ?? 0) - (change?.lower ?? 0)
  }
  expect(widthOf([6, 6.5])).toBeCloseTo(2 * 1.96 * 0.52, 2)
  expect(widthOf([6, 6.5, 6, 6.5])).toBeLessThan(widthOf([6, 6.5]))
})

/** Pairs whose changes are these. */
function intervalOf(changes: number[]): [number, number] {
  const values = changes.flatMap((change) => [6, 6 + change])
  const pairs = changes.map((_, at) => fluorine(2 * at, 2 * at + 1))
  const [change] = comparePairs(pairs, values, about).changes
  return [change?.lower ?? 0, change?.upper ?? 0]
}

test.each([
  // Mean ± t × spread / √n, by hand: t is 3.182 for four pairs, 2.571 for six, 2.023 for forty.
  [[-1, 0, 1, 2], -1.554, 2.554],
  [[-1, -1, 0, 0, 1, 3], -1.247, 1.913],
  [Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? -2 : 2)), -0.648, 0.648],
])('the interval of the mean of %j is that of Student’s t', (changes, lower, upper) => {
  const [low, high] = intervalOf(changes)
  expect(low).toBeCloseTo(lower, 2)
  expect(high).toBeCloseTo(upper, 2)
})

test('equal changes do not look certain', () => {
  const [low, high] = intervalOf([0.5, 0.5])
  expect(high - low).toBeCloseTo((2 * 1.96 * 0.52) / Math.sqrt(2), 2)
})

test('a change without measured values has no mean', () => {
  const [change] = comparePairs([fluorine(0, 1)], [6, null], about).changes
  expect(change).toMatchObject({ measured: 0, mean: null, spread: null, lower: null, upper: null })
})

test('changes with the most measured pairs come first, at most a hundred', () => {
  const single = Array.from({ length: 120 }, (_, at) => {
    return { from: 0, to: 1, fromGroup: '*A', toGroup: `*B${at}` }
  })
  const { changes, total } = comparePairs([...single, fluorine(2, 3)], [null, null, 6, 7], about)
  expect([changes.length, total, changes[0]?.to]).toEqual([100, 121, '*F'])
})

test('the shipped statistics know common changes, on all targets and on one', () => {
  const training = openTrainingChanges(readConfig({}).modelDir)
  const change = training.find('[H]*', '*F')
  expect(change?.pairs).toBeGreaterThan(1000)
  expect(change?.spread).toBeGreaterThan(0.3)
  expect(Math.abs(change?.mean ?? 1)).toBeLessThan(0.3)
  expect(training.find('[H]*', '*[Xx]')).toBeNull()
  expect(training.findTarget(['MKVLAAGIVGLLLAAAQ'])).toBeNull()
})

test('at most 200 pairs of a change are listed, measured ones first; its numbers cover all', () => {
  const pairs = Array.from({ length: 500 }, (_, at) => fluorine(2 * at, 2 * at + 1))
  const values = pairs.flatMap((_, at) => (at < 400 ? [null, null] : [6, 7]))
  const [change] = comparePairs(pairs, values, about).changes
  expect(change).toMatchObject({ pair_count: 500, measured: 100, mean: 1 })
  expect(change?.pairs).toHaveLength(200)
  expect(change?.pairs.slice(0, 100).every((pair) => pair.change === 1)).toBe(true)
})
