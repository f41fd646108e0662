import { expect, test, vi } from 'vitest'
import {
  chooseAffinityUnit,
  formatAffinity,
  formatDifference,
  formatInterval,
  nameAffinity,
  shortenAffinity,
} from './affinity-unit.ts'

test.each([
  ['pKd', '7.13', 'pKd 7.13', '7.1'],
  ['Kd', '74.1 nM', 'Kd 74.1 nM', '74 nM'],
  ['ΔG', '−9.73', 'ΔG −9.73 kcal/mol', '−9.7'],
] as const)('an affinity in %s', (unit, cell, alone, short) => {
  expect(formatAffinity(7.13, unit)).toBe(cell)
  expect(nameAffinity(7.13, unit)).toBe(alone)
  expect(shortenAffinity(7.13, unit)).toBe(short)
})

test('an interval goes upwards in its unit', () => {
  const bounds = { lower: 6, upper: 8 }
  expect(formatInterval(bounds, 'pKd')).toBe('6.0 to 8.0')
  expect(formatInterval(bounds, 'Kd')).toBe('10.0 nM to 1.00 µM')
  expect(formatInterval(bounds, 'ΔG')).toBe('−10.91 to −8.19')
})

test('a difference of pKd is a ratio of Kd', () => {
  expect(formatDifference(-0.5, 'pKd')).toBe('−0.50')
  expect(formatDifference(0.5, 'Kd')).toBe('3.2 times')
  expect(formatDifference(-1, 'Kd')).toBe('0.1 times')
  expect(formatDifference(1, 'ΔG')).toBe('−1.36')
})

test('the unit is kept for the next visit, and one that is not known is a pKd', async () => {
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
