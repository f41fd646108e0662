// The rows of docs/specification.md, which tests name them, and whether those tests ran and passed.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/**
 * `needsPostgres`: only a PostgreSQL server can prove it.
 * @typedef {{ id: string, who: string, rule: string, needsPostgres: boolean }} Row
 * @typedef {{ file: string, title: string }} Title
 */

/** @returns {Row[]} */
export function readRows(text = readFileSync(join(root, 'docs/specification.md'), 'utf8')) {
  return [...text.matchAll(/^\| (\d+\.\d+) \| (\w+) \| (.+) \|$/gm)].map(([, id, who, rule]) => ({
    id,
    who,
    rule,
    needsPostgres: rule.endsWith('*(PostgreSQL)*'),
  }))
}

/** The rows that a title names: `SPEC 4.6, 9.1: …`. */
export function idsOf(title) {
  return [...title.matchAll(/SPEC ((?:\d+\.\d+(?:, )?)+)/g)].flatMap(
    (match) => match[1].match(/\d+\.\d+/g) ?? [],
  )
}

/** Titles as they stand in the sources. @returns {Title[]} */
export function readTitles() {
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

/**
 * Every row whose tests do not prove it, in words: a test that names it failed, was skipped or is gone.
 * A test that one suite skips may pass in another.
 * @param {{ rows: Row[], titles: Title[], suites: { tests: { file: string, name: string, status: string }[] }[], hasPostgres: boolean }} run
 * @returns {string[]}
 */
export function findUnproved({ rows, titles, suites, hasPostgres }) {
  const outcomes = outcomesByRow(suites)
  return rows
    .filter(({ needsPostgres }) => hasPostgres || !needsPostgres)
    .flatMap(({ id, rule }) => {
      const tests = outcomes.get(id) ?? []
      const ranIn = new Set(tests.map(({ file }) => file))
      const gone = titles.filter(({ file, title }) => idsOf(title).includes(id) && !ranIn.has(file))
      return [
        ...(tests.length === 0 && gone.length === 0
          ? [`SPEC ${id}: no test names it: ${rule}`]
          : []),
        ...tests
          .filter(({ verdict }) => verdict !== 'passed')
          .map(({ file, name, verdict }) => `SPEC ${id}: ${verdict}: ${file}: ${name}`),
        ...gone.map(({ file, title }) => `SPEC ${id}: did not run: ${file}: ${title}`),
      ]
    })
}

const proving = new Set(['passed', 'quarantined'])

function outcomesByRow(suites) {
  const byTest = new Map()
  for (const test of suites.flatMap(({ tests }) => tests)) {
    const key = `${test.file}\n${test.name}`
    byTest.set(key, [...(byTest.get(key) ?? []), test])
  }
  const rows = new Map()
  for (const runs of byTest.values()) {
    const { file, name } = runs[0]
    const ran = runs.filter(({ status }) => status !== 'skipped')
    const hasPassed = ran.every(({ status }) => proving.has(status))
    const verdict = ran.length === 0 ? 'skipped' : hasPassed ? 'passed' : 'failed'
    for (const id of new Set(idsOf(name))) {
      rows.set(id, [...(rows.get(id) ?? []), { file, name, verdict }])
    }
  }
  return rows
}
