// The suites by name: how each is run, and how what it reports is read.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterSecondTry, readSuite, suiteOfOne } from './counts.mjs'
import { environment, root, scriptOf } from './prepare.mjs'
import { readQuarantine } from './quarantine.mjs'

const reports = join(root, 'test-results')

/** As many failures are not chance: a second try would only take time. */
const chanceFailuresMax = 5

/**
 * Unit and API tests, all of them or those of some files.
 * @param {string} node
 * @param {{ name?: string, files?: string[], settings?: Record<string, string> }} options
 */
export function runUnitTests(
  node,
  { name = 'unit and API tests', files = [], settings = {} } = {},
) {
  const runFiles = (label, chosen) => {
    const report = reportFile(label)
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const ended = run(label, node, [scriptOf('vitest'), ...args, ...chosen], settings)
    return readSuite('vitest', report, { name, ...ended })
  }
  return withSecondTry(runFiles(name, files), (failed) =>
    runFiles(`${name}, second try`, [...new Set(failed.map(({ file }) => file))]),
  )
}

/** @param {string} node */
export function runJourneys(node) {
  const name = 'browser journeys'
  const playwright = scriptOf('@playwright/test', 'playwright')
  const runChosen = (label, options) => {
    const report = reportFile(label)
    const args = [playwright, 'test', '--config=e2e/playwright.config.ts', ...options]
    const ended = run(label, node, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
    return readSuite('playwright', report, { name, ...ended })
  }
  return withSecondTry(runChosen(name, []), () =>
    runChosen(`${name}, second try`, ['--last-failed']),
  )
}

/** Runs the few that failed once more, to tell the flaky from the broken; neither turns green by it. */
function withSecondTry(first, tryAgain) {
  const failed = first.tests.filter(({ status }) => status === 'failed')
  const isHopeless = !first.isComplete || failed.length > chanceFailuresMax
  if (failed.length === 0 || isHopeless) return first
  const quarantine = readQuarantine().map(({ test }) => test)
  return afterSecondTry(first, tryAgain(failed), quarantine)
}

/** A step that has no tests of its own. */
export function runStep(name, command, args, settings = {}) {
  const { exitedClean, seconds } = run(name, command, args, settings)
  return suiteOfOne(name, exitedClean ? [] : [`${name} failed, see above`], seconds)
}

export function reportFile(name) {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, `${name.replaceAll(/\W+/g, '-')}.json`)
  rmSync(file, { force: true })
  return file
}

/** @returns {{ exitedClean: boolean, seconds: number }} */
export function run(name, command, args, settings = {}) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment({ CI: '1', ...settings }),
  })
  if (error) console.error(error.message)
  const seconds = (Date.now() - started) / 1000
  console.log(`== ${name}: ${Math.round(seconds)} s`)
  return { exitedClean: status === 0, seconds }
}
