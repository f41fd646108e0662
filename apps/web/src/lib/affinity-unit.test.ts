import { expect, test, vi } from 'vitest'
import {
  affinityUnits,
  chooseAffinityUnit,
  formatDifference,
  formatInterval,
  fromBound,
  nameAffinity,
  shortenAffinity,
  toBound,
} from './affinity-unit.ts'

test.each([
  ['pKd', 'pKd 7.1', '7.1', '7.1'],
  ['Kd', 'Kd 74 nM', '74 nM', '70 nM'],
  ['ΔG', 'ΔG −9.7 kcal/mol', '−9.7', '−9.7'],
] as const)(
  'an affinity in %s has the digits that its uncertainty allows',
  (unit, alone, short, rough) => {
    expect(nameAffinity(7.13, unit)).toBe(alone)
    expect(shortenAffinity(7.13, unit)).toBe(short)
    expect(shortenAffinity(7.13, unit, 'known_on_other_targets')).toBe(rough)
    expect(shortenAffinity(7.13, unit, 'outside')).toBe(rough)
  },
)

test.each([7.13, 9, 4.2])(
  'a bound of pKd %s is unchanged after conversion to each unit and back',
  (pkd) => {
    for (const unit of affinityUnits) {
      expect(fromBound(toBound(pkd, unit), unit)).toBeCloseTo(pkd, 3)
    }
    expect(fromBound(0, 'Kd')).toBeNaN()
    expect(fromBound(-1, 'Kd')).toBeNaN()
  },
)

test('an interval is ascending in its unit', () => {
  const bounds = { lower: 6, upper: 8 }
  expect(formatInterval(bounds, 'pKd')).toBe('6.0 to 8.0')
  expect(formatInterval(bounds, 'Kd')).toBe('10 nM to 1 µM')
  expect(formatInterval(bounds, 'ΔG')).toBe('−10.9 to −8.2')
})

test('a difference of pKd is a ratio of Kd', () => {
  expect(formatDifference(-0.5, 'pKd')).toBe('−0.5')
  expect(formatDifference(0.5, 'Kd')).toBe('3.2 times')
  expect(formatDifference(-1, 'Kd')).toBe('0.1 times')
  expect(formatDifference(1, 'ΔG')).toBe('−1.4')
})

test('the unit is remembered, and an unknown one means pKd', async () => {
  chooseAffinityUnit('Kd')
  vi.resetModules()
  const { renderHook } = await import('@testing-library/react')
  const again = await import('./affinity-unit.ts')
  expect(renderHook(again.useAffinityUnit).result.current).toBe('Kd')
  localStorage.setItem('affinity-unit', 'furlongs')
  vi.resetModules()
  const unknown = await import('./affinity-unit.ts')
  expect(renderHook(unknown.useAffinityUnit).result.current).toBe('pKd')
  localStorage.removeItem('affinity-unit')
})
