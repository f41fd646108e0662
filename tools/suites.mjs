// The suites by name: how each is run, and how its counts are read.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { countPlaywright, countVitest } from './counts.mjs'
import { environment, root, scriptOf } from './prepare.mjs'

const reports = join(root, 'test-results')

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
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const chosen = projects.map((project) => `--project=${project}`)
  const status = run(name, node, [scriptOf('vitest'), ...args, ...chosen], settings)
  return { name, ...countVitest(report, status === 0) }
}

/** @param {string} node */
export function runJourneys(node) {
  const name = 'browser journeys'
  const report = reportFile(name)
  const playwright = scriptOf('@playwright/test', 'playwright')
  const args = [playwright, 'test', '--config=e2e/playwright.config.ts']
  const status = run(name, node, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  return { name, ...countPlaywright(report, status === 0) }
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
