/** A row is proved by a test that ran and passed, not by one that stands in a file. */
import { expect, test } from 'vitest'
import { findUnproved, idsOf, readRows } from './specification.mjs'

const rows = readRows(
  [
    '| row | who | rule |',
    '|---|---|---|',
    '| 4.6 | user | A task is polled |',
    '| 15.11 | operator | A worker may die *(PostgreSQL)* |',
    'Text about 4.7 | user | that is no row',
  ].join('\n'),
)
const file = 'a.test.ts'
const title = 'SPEC 4.6: a task is polled'
const titles = [{ file, title }]

function unproved(...statuses: string[]) {
  const suites = statuses.map((status) => ({ tests: [{ file, name: title, status }] }))
  return findUnproved({ rows, titles, suites, hasPostgres: false })
}

test('reads rows, who they concern, and which need PostgreSQL', () => {
  expect(rows.map(({ id, who, needsPostgres }) => [id, who, needsPostgres])).toEqual([
    ['4.6', 'user', false],
    ['15.11', 'operator', true],
  ])
  expect(readRows().length).toBeGreaterThan(150)
})

test('reads the rows that a title names', () => {
  expect(idsOf('group SPEC 4.6, 9.1: polls; SPEC 2.2, SPEC 7.3')).toEqual([
    '4.6',
    '9.1',
    '2.2',
    '7.3',
  ])
})

test('a row whose test passed is proved', () => {
  expect(unproved('passed')).toEqual([])
})

test.each(['failed', 'flaky'])('a row whose test was %s is not proved', (status) => {
  expect(unproved(status)).toEqual([`SPEC 4.6: failed: ${file}: ${title}`])
  expect(unproved('passed', status)).toHaveLength(1)
})

test('a row whose test was skipped is not proved, unless it passed in another suite', () => {
  expect(unproved('skipped')).toEqual([`SPEC 4.6: skipped: ${file}: ${title}`])
  expect(unproved('skipped', 'passed')).toEqual([])
})

test('a row whose test is gone is not proved', () => {
  expect(unproved()).toEqual([`SPEC 4.6: did not run: ${file}: ${title}`])
  const suites = [{ tests: [{ file, name: 'another', status: 'passed' }] }]
  const without = findUnproved({ rows, titles: [], suites, hasPostgres: false })
  expect(without).toEqual(['SPEC 4.6: no test names it: A task is polled'])
})

test('a test that passed does not hide another of the same row that did not run', () => {
  const suites = [{ tests: [{ file, name: title, status: 'passed' }] }]
  const both = [...titles, { file: 'b.test.ts', title: 'SPEC 4.6: and again' }]
  expect(findUnproved({ rows, titles: both, suites, hasPostgres: false })).toEqual([
    'SPEC 4.6: did not run: b.test.ts: SPEC 4.6: and again',
  ])
})

test('a row that needs PostgreSQL is asked of a run that had it', () => {
  const suites = [{ tests: [{ file, name: title, status: 'passed' }] }]
  const [complaint, ...more] = findUnproved({ rows, titles, suites, hasPostgres: true })
  expect(complaint).toMatch(/^SPEC 15.11: no test names it/)
  expect(more).toEqual([])
})
