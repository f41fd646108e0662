// Which test cites which row of the specification. Writes docs/spec-coverage.md; with --check it writes
// nothing and fails when a row has no test, a test cites an unknown row, or the page is stale.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'
import { specRows } from './spec-rows.mjs'

const page = join(root, 'docs/spec-coverage.md')
const citations = readCitations()
const text = describe(citations)
const complaints = findComplaints(citations)

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    complaints.push('docs/spec-coverage.md is stale: run npm run spec')
  }
} else {
  writeFileSync(page, text)
}
const cited = specRows.filter(([id]) => citations.has(id)).length
console.log(`${cited} of ${specRows.length} rows are cited by a test.`)
for (const complaint of complaints) console.error(complaint)
process.exit(complaints.length === 0 ? 0 : 1)

/** @returns {Map<string, { file: string, title: string }[]>} */
function readCitations() {
  const found = new Map()
  for (const test of testTitles()) {
    for (const id of idsOf(test.title)) found.set(id, [...(found.get(id) ?? []), test])
  }
  return found
}

function testTitles() {
  return testFiles().flatMap((file) =>
    titlesOf(readFileSync(join(root, file), 'utf8')).map((title) => ({ file, title })),
  )
}

function testFiles() {
  return ['apps', 'packages', 'e2e', 'tools']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((name) => /\.(test|spec)\.tsx?$/.test(name) && !name.includes('node_modules'))
    .toSorted()
}

/** Titles are string literals in the first argument of test(...), describe(...) or each([...])(...). */
function titlesOf(source) {
  const call =
    /(?:\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?|\]\))\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g
  return [...source.matchAll(call)].map((match) => match[2].replaceAll(/\\(.)/g, '$1'))
}

function idsOf(title) {
  return [...title.matchAll(/SPEC ((?:\d+\.\d+(?:, )?)+)/g)].flatMap(
    (match) => match[1].match(/\d+\.\d+/g) ?? [],
  )
}

function findComplaints(found) {
  const known = new Set(specRows.map(([id]) => id))
  const uncited = specRows.filter(([id]) => !found.has(id))
  const vague = testTitles().filter(({ title }) => /SPEC \d+(?![.\d])/.test(title))
  const unknown = [...found.keys()].filter((id) => !known.has(id))
  return [
    ...uncited.map(([id, , rule]) => `No test cites SPEC ${id}: ${rule}`),
    ...vague.map(({ file, title }) => `A title cites SPEC without a row: ${file}: ${title}`),
    ...unknown.map((id) => `SPEC ${id} is cited but is not a row: ${found.get(id)[0].file}`),
  ]
}

function describe(found) {
  const rows = specRows.map(([id, audience, rule]) => {
    const tests = found.get(id) ?? []
    const where = [...new Set(tests.map(({ file }) => `\`${file}\``))].join(', ')
    return `| ${id} | ${audience} | ${rule.replaceAll('|', '\\|')} | ${tests.length} | ${where || 'none yet'} |`
  })
  const head = [
    '# Coverage of the specification',
    '',
    'Written by `npm run spec`; `npm run check` fails when a row has no test.',
    '',
    '| row | audience | rule | tests | where |',
    '|---|---|---|---|---|',
  ]
  return [...head, ...rows, ''].join('\n')
}
