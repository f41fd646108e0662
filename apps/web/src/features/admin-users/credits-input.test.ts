import { CREDITS_MAX } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { readCredits } from './credits-input.ts'

test.each([
  ['50', 50],
  [' 0 ', 0],
  ['2.125', 2.125],
  [`${CREDITS_MAX}`, CREDITS_MAX],
])('a number without a sign is the new balance: “%s”', (text, credits) => {
  expect(readCredits(text)).toEqual({ kind: 'set', credits })
})

test.each([
  ['+10', 10],
  ['-10', -10],
  ['−2.5', -2.5],
  [' +0.001 ', 0.001],
])('a number with a sign is added or removed: “%s”', (text, delta) => {
  expect(readCredits(text)).toEqual({ kind: 'change', delta })
})

test.each([
  '',
  '+',
  '-',
  '+0',
  '-0',
  '1e3',
  '1,000',
  '50 credits',
  '0x10',
  '2.1234',
  '+2.1234',
  '--5',
  '+ 5',
  'Infinity',
])('anything else is refused: “%s”', (text) => expect(readCredits(text)).toBeNull())

test('more than the maximum is refused', () => {
  expect(readCredits(`${CREDITS_MAX + 1}`)).toBeNull()
  expect(readCredits(`-${CREDITS_MAX + 1}`)).toBeNull()
})
