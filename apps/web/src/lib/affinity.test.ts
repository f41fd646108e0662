/** Values that a chemist can check by hand: Kd, energies and words for a pKd. */
import { describe, expect, test } from 'vitest'
import { formatEnergy, formatKd, formatLigandEfficiency, formatPkd, wordOf } from './affinity.ts'

describe('Kd', () => {
  test.each([
    [7.84, '14.5 nM'],
    [9, '1.00 nM'],
    [6, '1.00 µM'],
    [5.0, '10.0 µM'],
    [6.004, '1.00 µM'],
    [6.01, '977 nM'],
    [3.2, '631 µM'],
    [2, '10.0 mM'],
    [12, '1.00 pM'],
    [11.3, '5.01 pM'],
    [13.5, '0.0316 pM'],
    [0, '1.00 M'],
    [-0.5, '3.16 M'],
  ])('pKd %d is %s', (pkd, kd) => {
    expect(formatKd(pkd)).toBe(kd)
  })
})

describe('binding energy at 25 °C', () => {
  test('one log unit is 5.71 kJ/mol, which is 1.36 kcal/mol', () => {
    expect(formatEnergy(1)).toEqual({ kilocalories: '−1.36 kcal/mol', kilojoules: '−5.71 kJ/mol' })
  })

  test('pKd 7.84 is −10.70 kcal/mol and −44.75 kJ/mol', () => {
    expect(formatEnergy(7.84)).toEqual({
      kilocalories: '−10.70 kcal/mol',
      kilojoules: '−44.75 kJ/mol',
    })
  })

  test('large values keep four digits: 5708 kJ/mol for a thousand log units', () => {
    expect(formatEnergy(1000).kilojoules).toBe('−5708.01 kJ/mol')
  })
})

describe('words', () => {
  test.each([
    [5.99, 'weak'],
    [6, 'moderate'],
    [8, 'moderate'],
    [8.01, 'strong'],
    [5.996, 'moderate'],
    [8.004, 'moderate'],
  ])('pKd %d is %s, computed from the shown digits', (pkd, word) => {
    expect(wordOf(pkd)).toBe(word)
  })
})

test('a pKd has two decimals and a proper minus sign', () => {
  expect(formatPkd(7.8361)).toBe('7.84')
  expect(formatPkd(-1.2)).toBe('−1.20')
  expect(formatPkd(-0.001)).toBe('0.00')
})

test('ligand efficiency is the binding energy per heavy atom', () => {
  expect(formatLigandEfficiency(7.84, 37)).toBe('0.29 kcal/mol per heavy atom')
})
