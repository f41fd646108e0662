import { expect, test } from 'vitest'
import { openSharedCounts } from './shared-counts.ts'

const range = { from: 50, to: 650 }

/** Pseudo-random members of the range, ascending; the same on every run. */
function openRandom() {
  let state = 7
  return (share: number): Uint32Array => {
    const members: number[] = []
    for (let member = range.from; member < range.to; member += 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      if (state / 2 ** 32 < share) members.push(member)
    }
    return Uint32Array.from(members)
  }
}

test.each([1, 31, 32, 33, 100])('a query is compared with each of %i sets', (count) => {
  const random = openRandom()
  const sets = Array.from({ length: count }, (_, at) => random(at / count))
  const countShared = openSharedCounts(sets, range)
  for (const share of [0, 0.001, 0.005, 0.1, 0.5, 1]) {
    const query = Uint16Array.from(random(share))
    const wanted = sets.map((set) => set.filter((member) => query.includes(member)).length)
    expect([...countShared(query)].slice(0, count)).toEqual(wanted)
  }
})

test('members outside the range do not count', () => {
  const countShared = openSharedCounts([Uint32Array.of(49, 50, 649, 650)], range)
  expect(countShared(Uint16Array.of(50, 51, 649))[0]).toBe(2)
})
