// Which test names which row of the specification. Writes docs/spec-coverage.md; with --check it writes
// nothing and fails when a row has no test, a test names an unknown row, or the page is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { idsOf, readRows, readTitles } from './specification.mjs'

const page = join(root, 'docs/spec-coverage.md')
const rows = readRows()
const titles = readTitles()
const testsOf = readCitations()
const complaints = findComplaints()
const text = describe()

if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (readFileSync(page, 'utf8') !== text) {
  complaints.push('docs/spec-coverage.md is stale: run npm run spec')
}
const cited = rows.filter(({ id }) => testsOf.has(id)).length
console.log(`${cited} of ${rows.length} rows are named by a test.`)
for (const complaint of complaints) console.error(complaint)
process.exit(complaints.length === 0 ? 0 : 1)

function readCitations() {
  const found = new Map()
  for (const test of titles) {
    for (const id of idsOf(test.title)) found.set(id, [...(found.get(id) ?? []), test])
  }
  return found
}

function findComplaints() {
  const known = new Set(rows.map(({ id }) => id))
  const twice = rows.filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index)
  const vague = titles.filter(({ title }) => /SPEC \d+(?![.\d])|PRODUCT \d/.test(title))
  const unknown = [...testsOf.keys()].filter((id) => !known.has(id))
  return [
    ...rows
      .filter(({ id }) => !testsOf.has(id))
      .map(({ id, rule }) => `No test names SPEC ${id}: ${rule}`),
    ...twice.map(({ id }) => `SPEC ${id} stands twice in docs/specification.md`),
    ...vague.map(({ file, title }) => `A title names no row: ${file}: ${title}`),
    ...unknown.map((id) => `SPEC ${id} is named but is not a row: ${testsOf.get(id)?.[0]?.file}`),
  ]
}

function describe() {
  const lines = rows.map(({ id, rule }) => {
    const tests = testsOf.get(id) ?? []
    const where = [...new Set(tests.map(({ file }) => `\`${file}\``))].join(', ')
    return `| ${id} | ${rule} | ${tests.length} | ${where || 'none yet'} |`
  })
  const head = [
    '# Coverage of the specification',
    '',
    'Written by `npm run spec` from the titles of the tests. `npm run check` fails when a row of',
    '[specification.md](specification.md) has no test; `npm test` and `.ci/run` fail when one of its tests',
    'failed, was skipped or did not run.',
    '',
    '| row | rule | tests | where |',
    '|---|---|---|---|',
  ]
  return [...head, ...lines, ''].join('\n')
}
