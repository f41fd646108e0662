// The suites by name: how each is run, and how its counts are read.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterSecondTry, countPlaywright, countVitest } from './counts.mjs'
import { environment, root, scriptOf } from './prepare.mjs'

const reports = join(root, 'test-results')

/** As many failures are not chance: a second try would only take time. */
const chanceFailuresMax = 5

/**
 * Unit and API tests, all of them or those of some projects.
 * @param {string} node
 * @param {{ name?: string, projects?: string[], settings?: Record<string, string> }} options
 */
export function runUnitTests(
  node,
  { name = 'unit and API tests', projects = [], settings = {} } = {},
) {
  const report = reportFile(name)
  const chosen = projects.map((project) => `--project=${project}`)
  const runFiles = (label, files) => {
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const status = run(label, node, [scriptOf('vitest'), ...args, ...chosen, ...files], settings)
    return countVitest(report, status === 0)
  }
  const counts = withSecondTry(runFiles(name, []), ({ failedFiles = [] }) => {
    rmSync(report, { force: true })
    return runFiles(`${name}, second try`, failedFiles)
  })
  return { name, ...counts }
}

/** @param {string} node */
export function runJourneys(node) {
  const name = 'browser journeys'
  const report = reportFile(name)
  const playwright = scriptOf('@playwright/test', 'playwright')
  const runAll = (label, options) => {
    const args = [playwright, 'test', '--config=e2e/playwright.config.ts', ...options]
    const status = run(label, node, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
    return countPlaywright(report, status === 0)
  }
  const counts = withSecondTry(runAll(name, []), () => {
    rmSync(report, { force: true })
    return runAll(`${name}, second try`, ['--last-failed'])
  })
  return { name, ...counts }
}

function withSecondTry(first, tryAgain) {
  if (first.failed === 0 || first.failed > chanceFailuresMax) return first
  return afterSecondTry(first, tryAgain(first))
}

/** A step that has no counts of its own counts as one. */
export function runStep(name, command, args, settings = {}) {
  const isFine = run(name, command, args, settings) === 0
  return { name, passed: isFine ? 1 : 0, failed: isFine ? 0 : 1, skipped: 0, isComplete: isFine }
}

export function reportFile(name) {
  mkdirSync(reports, { recursive: true })
  const file = join(reports, `${name.replaceAll(/\W+/g, '-')}.json`)
  rmSync(file, { force: true })
  return file
}

export function run(name, command, args, settings = {}) {
  console.log(`\n== ${name}`)
  const started = Date.now()
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment({ CI: '1', ...settings }),
  })
  if (error) console.error(error.message)
  console.log(`== ${name}: ${Math.round((Date.now() - started) / 1000)} s`)
  return status
}
