/** A quarantine is a loan: it has a reason, a date and an end. */
import { expect, test } from 'vitest'
import { findQuarantineFaults, readQuarantine, wordQuarantine } from './quarantine.mjs'

const today = new Date('2026-03-31')
const suites = [{ tests: [{ name: 'draws' }] }]
const fresh = { test: 'draws', reason: 'the font loads late', since: '2026-03-20' }

test('an entry of these days with a reason is in order, and is printed', () => {
  expect(findQuarantineFaults([fresh], suites, today)).toEqual([])
  expect(wordQuarantine([fresh])).toContain('since 2026-03-20: draws: the font loads late')
})

test.each([
  ['is older than 30 days', { ...fresh, since: '2026-02-28' }],
  ['has no date in the past', { ...fresh, since: '2026-04-02' }],
  ['has no date in the past', { ...fresh, since: 'lately' }],
  ['names a test that does not exist', { ...fresh, test: 'drew' }],
  ['gives no reason', { ...fresh, reason: '' }],
])('an entry that %s is red', (fault, entry) => {
  expect(findQuarantineFaults([entry], suites, today)).toEqual([
    `An entry of tools/quarantine.json ${fault}: ${entry.test}`,
  ])
})

test('the file of this repository can be read', () => {
  expect(Array.isArray(readQuarantine())).toBe(true)
})
