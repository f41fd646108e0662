import { expect, test } from 'vitest'
import { readConfig } from '#server/main/settings.ts'
import { fitOtherScore, type Scored } from './other-score.ts'
import { type OwnValue, updateByOwnValues } from './own-values.ts'
import { readOwnValuesSettings } from './own-values-settings.ts'

const settings = readOwnValuesSettings(readConfig({}).modelDir)

/** 40 dissimilar compounds. `truth`: measured value minus prediction. */
function compoundsWith(score: (truth: number, at: number) => number | null): Scored<OwnValue>[] {
  return Array.from({ length: 40 }, (_, at) => {
    const truth = Math.sin(3.7 * at)
    const predicted = 6 + 0.3 * Math.cos(1.3 * at)
    const heavyAtoms = 20 + (at % 7)
    return {
      predicted,
      halfWidth: 2,
      bits: [4 * at, 4 * at + 1],
      descriptors: [heavyAtoms, 2, 60, 1, 4, 2, 0.3],
      measured: predicted + truth,
      score: score(truth, at),
    }
  })
}

const errorOf = (rest: OwnValue[], updated: { predicted: number }[]) =>
  Math.sqrt(
    rest.reduce((sum, one, at) => sum + (one.measured - (updated[at]?.predicted ?? 0)) ** 2, 0) /
      rest.length,
  )

test('SPEC 33.5: a score that explains the errors is called informative, and halves the error of the rest', () => {
  const all = compoundsWith((truth) => 100 * truth)
  const [own, rest] = [all.slice(0, 12), all.slice(12)]
  const plain = updateByOwnValues(own, rest, settings)
  const other = fitOtherScore(own, all, settings)
  expect(other?.verdict).toBe('yes')
  expect(other?.slope.lower).toBeGreaterThan(0)
  expect(other?.weight).toBeGreaterThan(0.9)
  const blended = other?.blend(rest, plain) ?? []
  expect(errorOf(rest, blended)).toBeLessThan(errorOf(rest, plain) / 2)
})

test('SPEC 33.5: a score equal to size, or to the rescaled prediction, adds no information', () => {
  const bySize = compoundsWith((_, at) => 20 + (at % 7))
  expect(fitOtherScore(bySize.slice(0, 12), bySize, settings)?.verdict).toBe('cannot tell yet')
  const again = compoundsWith((_, at) => 3 * Math.cos(1.3 * at))
  expect(fitOtherScore(again.slice(0, 12), again, settings)?.verdict).toBe('cannot tell yet')
})

test('a score with the opposite sign is refused with enough values, and has little weight otherwise', () => {
  const all = compoundsWith((truth) => -truth)
  const other = fitOtherScore(all.slice(0, 20), all, settings)
  expect(other?.verdict).toBe('no')
  expect(other?.slope.upper).toBeLessThan(0.1)
})

test('fewer than five own values with a score, or equal scores, give no verdict', () => {
  const all = compoundsWith((truth, at) => (at < 4 || at > 20 ? truth : null))
  expect(fitOtherScore(all.slice(0, 12), all, settings)).toBeNull()
  const equal = compoundsWith(() => 1)
  expect(fitOtherScore(equal.slice(0, 12), equal, settings)).toBeNull()
})

test('a compound without a score keeps its prediction, and no interval is wider than the model’s own', () => {
  const all = compoundsWith((truth, at) => (at === 30 ? null : truth))
  const [own, rest] = [all.slice(0, 8), all.slice(8)]
  const plain = updateByOwnValues(own, rest, settings)
  const blended = fitOtherScore(own, all, settings)?.blend(rest, plain) ?? []
  expect(blended[22]).toEqual(plain[22])
  for (const one of blended) expect(one.halfWidth).toBeLessThanOrEqual(2)
})
