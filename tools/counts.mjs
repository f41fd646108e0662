// Reads what the test runners report and words the closing lines. A report that is missing or a runner
// that failed without a failed test counts as one failure, so that a broken run can never look clean.
// The closing lines name every failed test with the first lines of its complaint: of a long log often only the end is kept.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** @param {string} file @param {boolean} exitedClean */
export function countVitest(file, exitedClean) {
  const report = readReport(file)
  if (report === null) return broken
  return checked(exitedClean, {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failuresOfFile),
    failedFiles: report.testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name }) => name),
  })
}

/** @param {string} file @param {boolean} exitedClean */
export function countPlaywright(file, exitedClean) {
  const report = readReport(file)
  if (report === null) return broken
  const { expected, unexpected, flaky, skipped } = report.stats
  return checked(exitedClean, {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    failures: report.suites.flatMap(failuresOfSuite),
  })
}

/** Reads pytest's JUnit report. @param {string} file @param {boolean} exitedClean */
export function countPytest(file, exitedClean) {
  if (!existsSync(file)) return broken
  const text = readFileSync(file, 'utf8')
  const suite = text.match(/<testsuite [^>]*>/)?.[0] ?? ''
  const count = (key) => Number(suite.match(new RegExp(`${key}="(\\d+)"`))?.[1] ?? 0)
  const failed = count('failures') + count('errors')
  const skipped = count('skipped')
  const cases = /<testcase [^>]*? name="([^"]*)"[^>]*><(?:failure|error) message="([^"]*)"/g
  const failures = [...text.matchAll(cases)].map(([, name, message]) => wordFailure(name, message))
  return checked(exitedClean, {
    passed: count('tests') - failed - skipped,
    failed,
    skipped,
    failures,
  })
}

/**
 * What counts after the failed tests were run once more: what failed twice has failed, and what passed then
 * is named as unstable, with what it complained of.
 * @param {Counts} first
 * @param {Counts} second
 */
export function afterSecondTry(first, second) {
  const failedTwice = new Set(second.failures?.map(nameOf))
  const unstable = first.failures?.filter((failure) => !failedTwice.has(nameOf(failure))) ?? []
  if (!first.isComplete) return { ...second, unstable: ['the run itself broke', ...unstable] }
  const passed = first.passed + first.failed - second.failed
  return { ...second, passed, skipped: first.skipped, unstable }
}

/**
 * @typedef {{ passed: number, failed: number, skipped: number, isComplete: boolean, failures?: string[], failedFiles?: string[] }} Counts
 * @param {{ name: string, passed: number, failed: number, skipped: number, failures?: string[], unstable?: string[] }[]} suites
 */
export function closingLines(suites) {
  const total = (key) => suites.reduce((sum, suite) => sum + suite[key], 0)
  const lines = suites.flatMap(({ name, failures = [], unstable = [] }) => [
    ...failures.map((failure) => `FAILED in ${name}: ${failure}`),
    ...unstable.map((failure) => `UNSTABLE in ${name}, passed at the second try: ${failure}`),
  ])
  for (const { name, passed, failed, skipped } of suites) {
    lines.push(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  if (!existsSync(join(process.env['PKDEX_SHARED'] ?? '', 'structures'))) {
    lines.push('Tests on the real structures did not run: PKDEX_SHARED does not name their folder.')
  }
  return ['', ...lines, `${total('passed')} passed, ${total('failed')} failed`].join('\n')
}

const broken = { passed: 0, failed: 1, skipped: 0, isComplete: false }

function checked(exitedClean, counts) {
  const isEmpty = counts.passed === 0
  if (counts.failed === 0 && (!exitedClean || isEmpty)) {
    return { ...counts, failed: 1, isComplete: false }
  }
  return { ...counts, isComplete: true }
}

function failuresOfFile({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length === 0 && message) return [wordFailure(name, message)]
  return failed.map(({ fullName, failureMessages }) => wordFailure(fullName, failureMessages[0]))
}

function failuresOfSuite({ specs = [], suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok)
  const complaints = ({ tests }) =>
    tests
      .flatMap(({ results }) => results)
      .flatMap(({ errors }) => errors)
      .map(({ message }) => message)
  return [
    ...failed.map((spec) => wordFailure(spec.title, ...complaints(spec))),
    ...suites.flatMap(failuresOfSuite),
  ]
}

const complaintLines = 25

function wordFailure(name, ...complaints) {
  const lines = complaints.flatMap((complaint) =>
    stripVTControlCharacters(complaint ?? '')
      .split('\n')
      .slice(0, complaintLines),
  )
  return [name, ...lines].join('\n    ')
}

/** The first line of what `wordFailure` worded. */
function nameOf(failure) {
  return failure.split('\n')[0]
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}
