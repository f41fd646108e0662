/** The closing lines decide whether a change lands: a broken run must never look clean. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  afterSecondTry,
  closingLines,
  countPlaywright,
  countPytest,
  countVitest,
} from './counts.mjs'

function report(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'counts-')), 'report')
  writeFileSync(file, text)
  return file
}

const vitest = (passed: number, failed: number) =>
  report(
    JSON.stringify({
      numPassedTests: passed,
      numFailedTests: failed,
      numPendingTests: 1,
      numTodoTests: 0,
      testResults: [],
    }),
  )

test('counts what a runner reports', () => {
  expect(countVitest(vitest(7, 0), true)).toEqual({
    passed: 7,
    failed: 0,
    skipped: 1,
    failures: [],
    failedFiles: [],
    isComplete: true,
  })
})

test('a runner that failed without a failed test counts as one failure', () => {
  expect(countVitest(vitest(7, 0), false)).toMatchObject({ failed: 1, isComplete: false })
})

test('a runner that ran nothing counts as one failure', () => {
  expect(countVitest(vitest(0, 0), true)).toMatchObject({ failed: 1, isComplete: false })
})

test('a report that is missing counts as one failure', () => {
  expect(countPlaywright('/nowhere/report.json', true)).toMatchObject({
    failed: 1,
    isComplete: false,
  })
})

test('reads the counts of the training tests', () => {
  const file = report(
    '<testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10">' +
      '<testcase classname="a" name="adds" time="0"><failure message="1 is not 2">at line 3</failure></testcase>',
  )
  expect(countPytest(file, false)).toEqual({
    passed: 4,
    failed: 3,
    skipped: 3,
    failures: ['adds\n    1 is not 2'],
    isComplete: true,
  })
})

test('names the failed tests of each runner with what they complained of', () => {
  const units = report(
    JSON.stringify({
      numPassedTests: 1,
      numFailedTests: 2,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [
            { status: 'passed', fullName: 'fine', failureMessages: [] },
            { status: 'failed', fullName: 'reads', failureMessages: ['\u001B[31mno\u001B[39m'] },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'cannot be loaded', assertionResults: [] },
        { name: 'c.test.ts', status: 'passed', message: '', assertionResults: [] },
      ],
    }),
  )
  const journeys = report(
    JSON.stringify({
      stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
      suites: [
        {
          suites: [
            {
              specs: [
                { ok: true, title: 'fine', tests: [] },
                {
                  ok: false,
                  title: 'signs in',
                  tests: [
                    {
                      results: [{ errors: [{ message: 'too slow' }, { message: 'it had died' }] }],
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    }),
  )
  expect(countVitest(units, false).failedFiles).toEqual(['a.test.ts', 'b.test.ts'])
  const lines = closingLines([
    { name: 'units', ...countVitest(units, false) },
    { name: 'journeys', ...countPlaywright(journeys, false) },
  ])
  expect(lines).toContain('FAILED in units: reads\n    no')
  expect(lines).toContain('FAILED in units: b.test.ts\n    cannot be loaded')
  expect(lines).toContain('FAILED in journeys: signs in\n    too slow\n    it had died')
  expect(lines.split('\n').at(-1)).toBe('2 passed, 3 failed')
})

test('the closing lines say when the real structures were not there', () => {
  vi.stubEnv('PKDEX_SHARED', '/nowhere')
  expect(closingLines([])).toContain('Tests on the real structures did not run')
  const folder = mkdtempSync(join(tmpdir(), 'shared-'))
  mkdirSync(join(folder, 'structures'))
  vi.stubEnv('PKDEX_SHARED', folder)
  expect(closingLines([])).not.toContain('did not run')
  vi.unstubAllEnvs()
})

test('the last line adds all suites up', () => {
  const suites = [
    { name: 'a', passed: 2, failed: 1, skipped: 0 },
    { name: 'b', passed: 3, failed: 0, skipped: 4 },
  ]
  expect(closingLines(suites).split('\n').at(-1)).toBe('5 passed, 1 failed')
})

const firstTry = {
  passed: 8,
  failed: 2,
  skipped: 1,
  isComplete: true,
  failures: ['reads\n    no', 'draws\n    too slow'],
}

test('what fails twice has failed; what passes the second time is named as unstable', () => {
  const secondTry = {
    passed: 5,
    failed: 1,
    skipped: 0,
    isComplete: true,
    failures: ['reads\n    not again'],
  }
  const counts = afterSecondTry(firstTry, secondTry)
  expect(counts).toMatchObject({ passed: 9, failed: 1, skipped: 1 })
  const lines = closingLines([{ name: 'units', ...counts }])
  expect(lines).toContain('FAILED in units: reads\n    not again')
  expect(lines).toContain('UNSTABLE in units, passed at the second try: draws\n    too slow')
})

test('a second try that breaks is a failure', () => {
  const broken = { passed: 0, failed: 1, skipped: 0, isComplete: false }
  expect(afterSecondTry(firstTry, broken)).toMatchObject({ failed: 1, isComplete: false })
})

test('after a run that broke, only the second run counts, and the break is named', () => {
  const brokenFirst = { passed: 3, failed: 1, skipped: 0, isComplete: false }
  const whole = { passed: 10, failed: 0, skipped: 1, isComplete: true, failures: [] }
  const counts = afterSecondTry(brokenFirst, whole)
  expect(counts).toMatchObject({ passed: 10, failed: 0, isComplete: true })
  expect(closingLines([{ name: 'units', ...counts }])).toContain('the run itself broke')
})
