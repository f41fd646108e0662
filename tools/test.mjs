// npm test: makes the checkout ready, runs every suite to its end, and closes with the counts over all of them.
// Red too when a row of the specification is not proved by what ran, or the quarantine is out of order.
import { writeFileSync } from 'node:fs'
import { closingLines, isGreen, suiteOfOne } from './counts.mjs'
import { prepare } from './prepare.mjs'
import { findQuarantineFaults, readQuarantine, wordQuarantine } from './quarantine.mjs'
import { findUnproved, readRows, readTitles } from './specification.mjs'
import { reportFile, runJourneys, runUnitTests } from './suites.mjs'

const node = prepare()
const suites = [runUnitTests(node), runJourneys(node)]
// .ci/run goes on from here.
writeFileSync(reportFile('counts'), JSON.stringify(suites))

const quarantine = readQuarantine()
const hasPostgres = Boolean(process.env['PKDEX_TEST_DATABASE_URL'])
const unproved = findUnproved({ rows: readRows(), titles: readTitles(), suites, hasPostgres })
const all = [
  ...suites,
  suiteOfOne('quarantine', findQuarantineFaults(quarantine, suites, new Date())),
  suiteOfOne('specification', unproved),
]
console.log(wordQuarantine(quarantine))
console.log(closingLines(all))
process.exit(isGreen(all) ? 0 : 1)
