// Summarises a run: reads the JUnit reports in test-results/, prints the slowest, skipped and failed tests, and ends with
// "N passed, N failed". The arguments are the steps that failed; each counts as one failure. With --no-skips, a skipped
// test is a failure. With --ci, after all suites, it is one unless its title says what it needs ("needs …", "… name
// their folder") or tools/skips.json gives a reason, and so is a specification row without a test that passed.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { idsOf, readRows } from './spec.mjs'

const reports = process.env['PKDEX_REPORTS'] ?? join(root, 'test-results')
const isCi = process.argv.includes('--ci')
const hasPostgres = !process.argv.includes('--without-postgres')
const unchanged = hasPostgres ? undefined : 'what PostgreSQL tests has not changed'
const mayNotSkip = process.argv.includes('--no-skips')
const failedSteps = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const reasons = Object.entries(JSON.parse(readFileSync(join(root, 'tools/skips.json'), 'utf8')))

const tests = globSync(join(reports, '*.xml')).flatMap((file) =>
  readReport(readFileSync(file, 'utf8')),
)
const ran = tests.filter(({ status }) => status !== 'skipped')
const failed = tests.filter(({ status }) => status === 'failed').map(({ name }) => name)
// A test skipped in one suite may run in another.
const skipped = tests.filter(
  (test) => test.status === 'skipped' && !ran.some(({ name }) => name === test.name),
)
const passedRows = new Set(ran.filter((test) => test.status === 'passed').flatMap(rowsOf))
const complaints = [
  ...failedSteps.map((step) => `step: ${step}`),
  ...(isCi ? readRows() : [])
    .filter(({ id, needsPostgres }) => !passedRows.has(id) && (hasPostgres || !needsPostgres))
    .map(({ id, rule }) => `no test that passed names SPEC ${id}: ${rule}`),
]

console.log('\nThe 10 slowest tests:')
for (const { name, seconds } of ran.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`  ${seconds.toFixed(1)} s  ${name}`)
}
for (const { name } of skipped) {
  const reason = reasons.find(([part]) => name.includes(part))?.[1] ?? needOf(name) ?? unchanged
  console.log(`SKIPPED: ${name}: ${reason ?? 'no reason given'}`)
  if (mayNotSkip || (isCi && reason === undefined)) complaints.push(`skipped: ${name}`)
}
for (const complaint of [...failed, ...complaints]) console.log(`FAILED: ${complaint}`)
const failures = failed.length + complaints.length
console.log(`${ran.length - failed.length} passed, ${failures} failed`)
process.exit(failures === 0 && ran.length > 0 ? 0 : 1)

function readReport(xml) {
  const cases = /<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g
  return [...xml.matchAll(cases)].map(([, attributes, content = '']) => {
    const valueOf = (name) => unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1])
    const skip = content.includes('<skipped') ? 'skipped' : 'passed'
    return {
      name: `${valueOf('classname')}: ${valueOf('name')}`,
      seconds: Number(valueOf('time')),
      status: /<(failure|error)\b/.test(content) ? 'failed' : skip,
    }
  })
}

/** What a title says that its test needs. */
function needOf(name) {
  return /\((needs [^)]+|PKDEX_SHARED names [^)]+)\)/.exec(name)?.[1]
}

function rowsOf({ name }) {
  return idsOf(name)
}

function unescape(text = '') {
  const marks = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, mark) => marks[mark])
}
