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
