import { expect, test } from 'vitest'
import { readProfile, usualProfile, writeProfile } from '@pkdex/contract'
import { areToldApart, scoreProfile } from './profile-score.ts'

const profileOf = (text: string) => {
  const read = readProfile(text)
  if (read === null) throw new Error(`no profile: ${text}`)
  return read
}
const pair = (pk: number, halfWidth: number, properties: Record<string, number> = {}) => ({
  pk,
  lower: pk - halfWidth,
  upper: pk + halfWidth,
  propertyOf: (name: string) => properties[name] ?? null,
})

test('a profile is unchanged after being written and read', () => {
  expect(writeProfile(profileOf(usualProfile))).toBe(usualProfile)
})

test.each(['', 'pkd', 'pkd:..', 'colour:1..2', 'pkd:8..7', 'pkd:7..;pkd:8..', 'mass:..500~-1'])(
  '“%s” is not a profile',
  (text) => expect(readProfile(text)).toBeNull(),
)

test('SPEC 32.7: a pKd at the goal meets it with probability one half, one interval above it almost certainly', () => {
  const goal = profileOf('pkd:7..')
  expect(scoreProfile(goal, pair(7, 1.3))?.probability).toBeCloseTo(0.5, 2)
  // Half a 95% interval above: 97.5%.
  expect(scoreProfile(goal, pair(8.3, 1.3))?.probability).toBeCloseTo(0.975, 2)
  expect(scoreProfile(goal, pair(5.7, 1.3))?.probability).toBeCloseTo(0.025, 2)
})

test('SPEC 32.7: a property within its tolerance lowers the probability by its desirability', () => {
  const profile = profileOf('pkd:7..;mass:..450~50')
  const inside = scoreProfile(profile, pair(7, 1.3, { mass: 450 }))?.probability ?? NaN
  const half = scoreProfile(profile, pair(7, 1.3, { mass: 475 }))?.probability ?? NaN
  expect(half).toBeCloseTo(inside / 2, 6)
  expect(scoreProfile(profile, pair(7, 1.3, { mass: 500 }))?.probability).toBe(0)
})

test('SPEC 32.7: efficiencies depend on the pKd, so conditions on both are evaluated together', () => {
  const both = scoreProfile(
    profileOf('pkd:7..;lipophilic_efficiency:5..'),
    pair(7, 1, { log_p: 2 }),
  )
  expect(both?.probability).toBeCloseTo(0.5, 2)
})

test('a compound without the property has no score', () => {
  expect(scoreProfile(profileOf('mass:..450'), pair(7, 1.3))).toBeNull()
})

test('SPEC 32.8: scores with overlapping intervals are tied', () => {
  const goal = profileOf('pkd:7..')
  const score = (pk: number, halfWidth: number) => {
    const one = scoreProfile(goal, pair(pk, halfWidth))
    if (one === null) throw new Error('there is no score')
    return one
  }
  expect(areToldApart(score(7.4, 1.3), score(7, 1.3))).toBe(false)
  expect(areToldApart(score(9.5, 1.3), score(4.5, 1.3))).toBe(true)
})
