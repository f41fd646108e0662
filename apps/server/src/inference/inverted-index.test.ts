/** The index counts the same shared members as comparing with each set. */
import { expect, test } from 'vitest'
import { invertSets } from './inverted-index.ts'

const sets = [[3, 0, 9], [], [9], Uint32Array.of(0, 1, 2, 3, 4)]

test('counts the members shared with each set, and the members of each', () => {
  const index = invertSets(sets)
  expect([...index.sizes]).toEqual([3, 0, 1, 5])
  for (const query of [[], [9], [0, 3, 4], [5, 6], [1, 9, 10, 1000]]) {
    const expected = sets.map((set) => query.filter((member) => set.includes(member)).length)
    expect([...index.countShared(query)]).toEqual(expected)
  }
})

test('an empty index shares no members', () => {
  expect([...invertSets([]).countShared([1])]).toEqual([])
})

test('an index may contain more sets than two bytes can number', () => {
  const sets = Array.from({ length: 65_537 }, (_, place) => (place === 65_536 ? [1, 2] : [2]))
  const shared = invertSets(sets).countShared([1])
  expect([shared[0], shared[65_535], shared[65_536]]).toEqual([0, 0, 1])
})
