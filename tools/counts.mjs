// Counts what ran and words the closing lines. A report that is missing or a runner that failed without a
// failed test counts as one failure, so that a broken run can never look clean; so does a test that passed at
// its second try only, unless it is quarantined. Of a long log often only the end is kept: the closing lines
// name every test that failed or did not run, and the slowest.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readReport } from './reports.mjs'

/**
 * A test as a suite ended with it. Beside `passed`, `failed` and `skipped` there is `flaky`, which passed at the
 * second try and counts as failed, and `quarantined`, which did so and is forgiven.
 * @typedef {{ file: string, name: string, status: string, seconds: number, complaint: string }} Outcome
 * @typedef {{ name: string, tests: Outcome[], isComplete: boolean, seconds: number }} Suite
 */

/**
 * What one run of a suite left behind.
 * @param {import('./reports.mjs').Runner} runner
 * @param {string} report
 * @param {{ name: string, exitedClean: boolean, seconds: number }} run
 * @returns {Suite}
 */
export function readSuite(runner, report, { name, exitedClean, seconds }) {
  const tests = readReport(runner, report) ?? []
  const hasFailed = tests.some(({ status }) => status === 'failed')
  const hasPassed = tests.some(({ status }) => status === 'passed')
  return { name, tests, isComplete: hasFailed || (exitedClean && hasPassed), seconds }
}

/**
 * What counts after the failed tests were run once more: what failed twice has failed, and what passed then is
 * flaky. A second try that broke tells nothing.
 * @param {Suite} first
 * @param {Suite} second
 * @param {string[]} quarantine names of tests that may be flaky
 * @returns {Suite}
 */
export function afterSecondTry(first, second, quarantine) {
  const seconds = first.seconds + second.seconds
  if (!second.isComplete) return { ...first, isComplete: false, seconds }
  const again = new Map(second.tests.map((test) => [keyOf(test), test]))
  const settle = (test) => {
    if (test.status !== 'failed') return test
    const retried = again.get(keyOf(test))
    if (retried?.status === 'failed') return retried
    return { ...test, status: quarantine.includes(test.name) ? 'quarantined' : 'flaky' }
  }
  const known = new Set(first.tests.map(keyOf))
  // The tests of a file that could be loaded at the second try only.
  const late = second.tests.filter(
    (test) => !known.has(keyOf(test)) && first.tests.some(({ name }) => name === test.file),
  )
  return { ...first, tests: [...first.tests.map(settle), ...late], seconds }
}

/** @param {Suite} suite */
export function countsOf({ tests, isComplete }) {
  const count = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length
  return {
    passed: count('passed', 'quarantined'),
    failed: count('failed', 'flaky') + (isComplete ? 0 : 1),
    skipped: count('skipped'),
  }
}

/** @param {Suite[]} suites */
export function isGreen(suites) {
  return suites.length > 0 && suites.every((suite) => countsOf(suite).failed === 0)
}

/** A check that has no tests of its own counts as one. */
export function suiteOfOne(name, complaints, seconds = 0) {
  const status = complaints.length === 0 ? 'passed' : 'failed'
  const test = { file: '', name, status, seconds, complaint: complaints.join('\n') }
  return { name, tests: [test], isComplete: true, seconds }
}

/** A suite that could not be run at all. */
export function missingSuite(name) {
  return { name, tests: [], isComplete: false, seconds: 0 }
}

/** @param {Suite[]} suites */
export function closingLines(suites) {
  const all = suites.map((suite) => ({ suite, counts: countsOf(suite) }))
  const total = (key) => all.reduce((sum, { counts }) => sum + counts[key], 0)
  const lines = [
    ...slowest(suites),
    ...suites.flatMap(skippedLines),
    ...suites.flatMap(failureLines),
    ...all.map(
      ({ suite, counts }) =>
        `${suite.name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, in ${Math.round(suite.seconds)} s`,
    ),
  ]
  if (!existsSync(join(process.env['PKDEX_SHARED'] ?? '', 'structures'))) {
    lines.push('Tests on the real structures did not run: PKDEX_SHARED does not name their folder.')
  }
  return ['', ...lines, `${total('passed')} passed, ${total('failed')} failed`].join('\n')
}

const failureWords = {
  failed: 'FAILED in',
  flaky: 'FLAKY (passed at the second try only, counts as failed) in',
  quarantined: 'FLAKY, quarantined, in',
}

/** @param {Suite} suite */
function failureLines({ name, tests, isComplete }) {
  const lines = tests.flatMap((test) => {
    const word = failureWords[test.status]
    if (word === undefined) return []
    return [[`${word} ${name}: ${placeOf(test)}`, ...test.complaint.split('\n')].join('\n    ')]
  })
  if (isComplete) return lines
  return [...lines, `BROKEN: ${name} ended without a whole report, or ran nothing`]
}

const skippedNamesMax = 5

/** By file: a folder that is not there may take hundreds of tests along. */
function skippedLines({ name, tests }) {
  const skipped = tests.filter(({ status }) => status === 'skipped')
  return [...new Set(skipped.map(({ file }) => file))].map((file) => {
    const those = skipped.filter((test) => test.file === file)
    const named = those.slice(0, skippedNamesMax).map((test) => test.name)
    const more = those.length > named.length ? ` and ${those.length - named.length} more` : ''
    return `SKIPPED in ${name}: ${file}: ${named.join('; ')}${more}`
  })
}

const slowestShown = 10

function slowest(suites) {
  const tests = suites
    .flatMap(({ name, tests }) => tests.map((test) => ({ suite: name, ...test })))
    .filter(({ file }) => file !== '')
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowestShown)
  if (tests.length === 0) return []
  return [
    `The ${tests.length} slowest tests:`,
    ...tests.map((test) => `  ${test.seconds.toFixed(1)} s in ${test.suite}: ${placeOf(test)}`),
  ]
}

function placeOf({ file, name }) {
  return file === '' || file === name ? name : `${file}: ${name}`
}

function keyOf({ file, name }) {
  return `${file}\n${name}`
}
