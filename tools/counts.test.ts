/** The closing lines decide whether a change lands: a broken run must never look clean. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  afterSecondTry,
  closingLines,
  countsOf,
  isGreen,
  missingSuite,
  readSuite,
  suiteOfOne,
} from './counts.mjs'

function report(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'counts-')), 'report')
  writeFileSync(file, text)
  return file
}

const ended = (name: string, exitedClean: boolean) => ({ name, exitedClean, seconds: 61.4 })

type Assertion = { status: string; fullName: string; duration?: number; failureMessages?: string[] }
const vitest = (assertionResults: Assertion[], more: object[] = []) =>
  report(
    JSON.stringify({
      testResults: [{ name: 'a.test.ts', status: '', message: '', assertionResults }, ...more],
    }),
  )

const seven = Array.from({ length: 7 }, (_, at) => ({ status: 'passed', fullName: `test ${at}` }))
const skipped = { status: 'pending', fullName: 'is not for this machine' }

test('counts what a runner reports', () => {
  const suite = readSuite('vitest', vitest([...seven, skipped]), ended('units', true))
  expect(countsOf(suite)).toEqual({ passed: 7, failed: 0, skipped: 1 })
  expect(suite).toMatchObject({ name: 'units', isComplete: true, seconds: 61.4 })
  expect(isGreen([suite])).toBe(true)
})

test('a runner that failed without a failed test counts as one failure', () => {
  const suite = readSuite('vitest', vitest(seven), ended('units', false))
  expect(countsOf(suite)).toMatchObject({ passed: 7, failed: 1 })
  expect(isGreen([suite])).toBe(false)
})

test('a runner that ran nothing counts as one failure', () => {
  const suite = readSuite('vitest', vitest([]), ended('units', true))
  expect(countsOf(suite)).toMatchObject({ failed: 1 })
})

test('a report that is missing counts as one failure', () => {
  const suite = readSuite('playwright', '/nowhere/report.json', ended('journeys', true))
  expect(countsOf(suite)).toMatchObject({ failed: 1 })
  expect(suite.isComplete).toBe(false)
  expect(closingLines([suite])).toContain('BROKEN: journeys')
  expect(countsOf(missingSuite('journeys')).failed).toBe(1)
})

test('nothing at all is not green', () => {
  expect(isGreen([])).toBe(false)
})

test('reads the counts of the training tests', () => {
  const file = report(
    '<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4">' +
      '<testcase classname="tests.test_a" name="adds" time="0.5"><failure message="1 is not &lt;2&gt;">at line 3</failure></testcase>' +
      '<testcase classname="tests.test_a" name="loads" time="0"><error message="no file">at line 4</error></testcase>' +
      '<testcase classname="tests.test_a" name="waits" time="0"><skipped message="later" /></testcase>' +
      '<testcase classname="tests.test_a" name="learns[8 pairs]" time="12.25" /></testsuite></testsuites>',
  )
  const suite = readSuite('pytest', file, ended('training', false))
  expect(countsOf(suite)).toEqual({ passed: 1, failed: 2, skipped: 1 })
  expect(suite.isComplete).toBe(true)
  const lines = closingLines([suite])
  expect(lines).toContain('FAILED in training: tests/test_a.py: adds\n    1 is not <2>')
  expect(lines).toContain('FAILED in training: tests/test_a.py: loads\n    no file')
  expect(lines).toContain('12.3 s in training: tests/test_a.py: learns[8 pairs]')
})

function journeys(status: 'unexpected' | 'flaky') {
  return report(
    JSON.stringify({
      config: { rootDir: 'e2e' },
      suites: [
        {
          title: 'auth.spec.ts',
          file: 'auth.spec.ts',
          suites: [
            {
              title: 'a visitor',
              file: 'auth.spec.ts',
              specs: [
                {
                  title: 'looks',
                  file: 'auth.spec.ts',
                  tests: [{ status: 'expected', results: [{ duration: 2500, errors: [] }] }],
                },
                {
                  title: 'signs in',
                  file: 'auth.spec.ts',
                  tests: [
                    {
                      status,
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
}

test('names the failed tests of each runner with what they complained of', () => {
  const units = vitest(
    [
      { status: 'passed', fullName: 'fine' },
      { status: 'failed', fullName: 'reads', failureMessages: ['\u001B[31mno\u001B[39m'] },
    ],
    [
      {
        name: 'b.test.ts',
        status: 'failed',
        message: 'cannot be loaded',
        assertionResults: [],
      },
      { name: 'c.test.ts', status: 'passed', message: '', assertionResults: [] },
    ],
  )
  const suites = [
    readSuite('vitest', units, ended('units', false)),
    readSuite('playwright', journeys('unexpected'), ended('journeys', false)),
  ]
  const lines = closingLines(suites)
  expect(lines).toContain('FAILED in units: a.test.ts: reads\n    no')
  expect(lines).toContain('FAILED in units: b.test.ts\n    cannot be loaded')
  expect(lines).toContain(
    'FAILED in journeys: e2e/auth.spec.ts: a visitor signs in\n    too slow\n    it had died',
  )
  expect(lines).toContain('2.5 s in journeys: e2e/auth.spec.ts: a visitor looks')
  expect(lines.split('\n').at(-1)).toBe('2 passed, 3 failed')
})

test('a test that passed by a retry of the runner’s own has failed', () => {
  const suite = readSuite('playwright', journeys('flaky'), ended('journeys', true))
  expect(countsOf(suite)).toMatchObject({ passed: 1, failed: 1 })
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

test('the last line adds all suites up; a check without tests counts as one', () => {
  const units = readSuite('vitest', vitest([...seven, skipped]), ended('units', true))
  const lines = closingLines([units, suiteOfOne('check', []), suiteOfOne('rows', ['4.6 is open'])])
  expect(lines).toContain('units: 7 passed, 0 failed, 1 skipped, in 61 s')
  expect(lines).toContain('FAILED in rows: rows\n    4.6 is open')
  expect(lines.split('\n').at(-1)).toBe('8 passed, 1 failed')
})

test('tests that did not run are counted and named, many of one file in short', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ status: 'skipped', fullName: `case ${at}` }))
  const suite = readSuite('vitest', vitest([...seven, ...many]), ended('units', true))
  expect(closingLines([suite])).toContain(
    'SKIPPED in units: a.test.ts: case 0; case 1; case 2; case 3; case 4 and 4 more',
  )
  expect(countsOf(suite).skipped).toBe(9)
})

test('the ten slowest tests are named, the slowest first', () => {
  const timed = Array.from({ length: 12 }, (_, at) => ({
    status: 'passed',
    fullName: `case ${at}`,
    duration: at * 1000,
  }))
  const suite = readSuite('vitest', vitest(timed), ended('units', true))
  const lines = closingLines([suite]).split('\n')
  const start = lines.indexOf('The 10 slowest tests:')
  expect(lines[start + 1]).toBe('  11.0 s in units: a.test.ts: case 11')
  expect(lines[start + 10]).toBe('  2.0 s in units: a.test.ts: case 2')
  expect(lines.join()).not.toContain('case 1,')
})

const fails = (fullName: string, complaint: string) => ({
  status: 'failed',
  fullName,
  failureMessages: [complaint],
})
const firstTry = () =>
  readSuite(
    'vitest',
    vitest([...seven, fails('reads', 'no'), fails('draws', 'too slow')]),
    ended('units', false),
  )

test('what fails twice has failed; what passes the second time is flaky, and that is red as well', () => {
  const again = vitest([fails('reads', 'not again'), { status: 'passed', fullName: 'draws' }])
  const suite = afterSecondTry(firstTry(), readSuite('vitest', again, ended('units', false)), [])
  expect(countsOf(suite)).toMatchObject({ passed: 7, failed: 2 })
  const lines = closingLines([suite])
  expect(lines).toContain('FAILED in units: a.test.ts: reads\n    not again')
  expect(lines).toMatch(/FLAKY \(.*counts as failed\) in units: a.test.ts: draws\n {4}too slow/)
})

test('flaky tests alone make a run red', () => {
  const again = vitest(['reads', 'draws'].map((fullName) => ({ status: 'passed', fullName })))
  const second = readSuite('vitest', again, ended('units', true))
  const suite = afterSecondTry(firstTry(), second, [])
  expect(countsOf(suite)).toMatchObject({ passed: 7, failed: 2 })
  expect(isGreen([suite])).toBe(false)
})

test('a quarantined test may be flaky, and is named; it may not fail twice', () => {
  const again = vitest(['reads', 'draws'].map((fullName) => ({ status: 'passed', fullName })))
  const second = readSuite('vitest', again, ended('units', true))
  const forgiven = afterSecondTry(firstTry(), second, ['reads', 'draws'])
  expect(countsOf(forgiven)).toMatchObject({ passed: 9, failed: 0 })
  expect(isGreen([forgiven])).toBe(true)
  expect(closingLines([forgiven])).toContain('FLAKY, quarantined, in units: a.test.ts: draws')
  expect(countsOf(afterSecondTry(firstTry(), firstTry(), ['reads', 'draws'])).failed).toBe(2)
})

test('a second try that breaks is a failure', () => {
  const broken = readSuite('vitest', '/nowhere', ended('units', false))
  const suite = afterSecondTry(firstTry(), broken, [])
  expect(countsOf(suite).failed).toBe(3)
  expect(suite.isComplete).toBe(false)
})

test('a file that could be loaded at the second try only is flaky, and its tests count', () => {
  const first = vitest(seven, [
    { name: 'b.test.ts', status: 'failed', message: 'busy', assertionResults: [] },
  ])
  const b = [{ status: 'passed', fullName: 'sees' }]
  const second = report(
    JSON.stringify({
      testResults: [{ name: 'b.test.ts', status: 'passed', message: '', assertionResults: b }],
    }),
  )
  const suite = afterSecondTry(
    readSuite('vitest', first, ended('units', false)),
    readSuite('vitest', second, ended('units', true)),
    [],
  )
  expect(countsOf(suite)).toMatchObject({ passed: 8, failed: 1 })
})
