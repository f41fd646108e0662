// Tests that may be flaky for a while, in quarantine.json: { "test": its full name, "reason": why, "since": "2026-01-31" }.
// An entry that is a month old, names no test or gives no reason makes the run red.
import { readFileSync } from 'node:fs'

/** @typedef {{ test: string, reason: string, since: string }} Entry */

export const QUARANTINE_DAYS_MAX = 30

/** @returns {Entry[]} */
export function readQuarantine() {
  return JSON.parse(readFileSync(new URL('quarantine.json', import.meta.url), 'utf8'))
}

/**
 * @param {Entry[]} entries
 * @param {{ tests: { name: string }[] }[]} suites what ran
 * @param {Date} today
 * @returns {string[]}
 */
export function findQuarantineFaults(entries, suites, today) {
  const names = new Set(suites.flatMap(({ tests }) => tests.map(({ name }) => name)))
  return entries.flatMap(({ test, reason, since }) => {
    const days = (today.getTime() - Date.parse(since)) / 86_400_000
    const faults = [
      ...(names.has(test) ? [] : ['names a test that does not exist']),
      ...(reason ? [] : ['gives no reason']),
      ...(days >= 0 ? [] : ['has no date in the past']),
      ...(days > QUARANTINE_DAYS_MAX ? [`is older than ${QUARANTINE_DAYS_MAX} days`] : []),
    ]
    return faults.map((fault) => `An entry of tools/quarantine.json ${fault}: ${test}`)
  })
}

/** @param {Entry[]} entries */
export function wordQuarantine(entries) {
  if (entries.length === 0) return 'No test is quarantined (tools/quarantine.json).'
  const lines = entries.map(({ test, reason, since }) => `  since ${since}: ${test}: ${reason}`)
  return ['Quarantined (tools/quarantine.json):', ...lines].join('\n')
}
