// npm test: makes the checkout ready, runs every suite to its end, and closes with the counts over all of them.
import { writeFileSync } from 'node:fs'
import { closingLines } from './counts.mjs'
import { prepare } from './prepare.mjs'
import { reportFile, runJourneys, runUnitTests } from './suites.mjs'

const node = prepare()
const suites = [runUnitTests(node), runJourneys(node)]

writeFileSync(reportFile('counts'), JSON.stringify(suites))
console.log(closingLines(suites))
process.exit(suites.every(({ failed, isComplete }) => failed === 0 && isComplete) ? 0 : 1)
