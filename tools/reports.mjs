// Reads what the test runners report as one list of tests, whichever runner wrote it.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './prepare.mjs'

/**
 * `status` is passed, failed or skipped; `file` is a path in the repository; a file that could not be loaded is a failed test with the name of the file.
 * @typedef {{ file: string, name: string, status: string, seconds: number, complaint: string }} TestRun
 * @typedef {'vitest' | 'playwright' | 'pytest'} Runner
 */

/**
 * Null where the runner left no report.
 * @param {Runner} runner
 * @param {string} file
 * @returns {TestRun[] | null}
 */
export function readReport(runner, file) {
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  if (runner === 'pytest') return testsOfPytest(text)
  return runner === 'vitest' ? testsOfVitest(JSON.parse(text)) : testsOfPlaywright(JSON.parse(text))
}

function testsOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = pathOf(name)
    const tests = assertionResults.map((test) => ({
      file,
      name: test.fullName,
      status: vitestStatus[test.status] ?? 'skipped',
      seconds: (test.duration ?? 0) / 1000,
      complaint: wordComplaints([test.failureMessages?.[0]]),
    }))
    const isBroken = status === 'failed' && tests.every((test) => test.status !== 'failed')
    if (!isBroken) return tests
    const complaint = wordComplaints([message])
    return [...tests, { file, name: file, status: 'failed', seconds: 0, complaint }]
  })
}

const vitestStatus = { passed: 'passed', failed: 'failed' }

function testsOfPlaywright({ config, suites }) {
  return suites.flatMap((suite) => testsOfSuite(suite, [], config?.rootDir ?? 'e2e'))
}

/** The title of a file's own suite is the name of the file. */
function testsOfSuite({ title, file, specs = [], suites = [] }, above, folder) {
  const titles = title === undefined || title === file ? above : [...above, title]
  return [
    ...specs.flatMap((spec) => testsOfSpec(spec, [...titles, spec.title].join(' '), folder)),
    ...suites.flatMap((suite) => testsOfSuite(suite, titles, folder)),
  ]
}

function testsOfSpec({ file, tests }, name, folder) {
  return tests.map(({ status, results }) => ({
    file: pathOf(`${folder}/${file}`),
    name,
    // A test that needed a retry of the runner's own counts as failed.
    status: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
    seconds: results.reduce((sum, { duration = 0 }) => sum + duration / 1000, 0),
    complaint: wordComplaints(
      results.flatMap(({ errors = [] }) => errors).map(({ message }) => message),
    ),
  }))
}

/** JUnit's XML, as pytest writes it: flat, with the complaint in an attribute. */
function testsOfPytest(text) {
  const cases =
    /<testcase classname="([^"]*)" name="([^"]*)" time="([^"]*)"\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g
  return [...text.matchAll(cases)].map(([, module, name, time, content = '']) => ({
    file: `${module.replaceAll('.', '/')}.py`,
    name: unescapeXml(name),
    status: /<(failure|error)/.test(content)
      ? 'failed'
      : content.includes('<skipped')
        ? 'skipped'
        : 'passed',
    seconds: Number(time),
    complaint: wordComplaints([
      unescapeXml(content.match(/<(?:failure|error) message="([^"]*)"/)?.[1] ?? ''),
    ]),
  }))
}

const complaintLines = 25

function wordComplaints(complaints) {
  return complaints
    .flatMap((complaint) =>
      stripVTControlCharacters(complaint ?? '')
        .split('\n')
        .slice(0, complaintLines),
    )
    .join('\n')
}

function unescapeXml(text) {
  const marks = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': '\n' }
  return text.replaceAll(/&(lt|gt|quot|apos|amp|#10);/g, (_, mark) => marks[mark])
}

function pathOf(file) {
  return file.startsWith('/') ? relative(root, file) : file
}
