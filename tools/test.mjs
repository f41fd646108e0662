// npm test: unit, component and API tests on the embedded database and the journeys tagged @smoke. Needs only Node.
// npm run test:deep [-- --shard=1/3]: everything else; on PostgreSQL too if PKDEX_TEST_DATABASE_URL is set, and on real
// data if PKDEX_SHARED names their folder. npm run test:all: both. `postgres PATH ...`: the tests of .ci/run.
// No test is retried.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { environment, prepare, root, scriptOf } from './prepare.mjs'

const node = prepare()
// What follows is measured, without installing and building.
const cpuBefore = readProcessorTime()
const [mode = 'quick', ...options] = process.argv.slice(2)
const started = Date.now()

/** @type {Record<string, [name: string, suite: string, args: string[]][]>} */
const suites = {
  quick: [vitest('quick'), journeys('quick', '--grep=@smoke')],
  deep: [vitest('deep', ...options), journeys('deep', '--grep-invert=@smoke', ...options)],
  postgres: [vitest('postgres', ...options)],
}
suites.all = [...suites.quick, ...suites.deep]

const isFresh = mode === 'quick' || mode === 'all'
if (isFresh) rmSync(`${root}/test-results`, { recursive: true, force: true })
const failed = suites[mode].filter((suite) => !passes(...suite)).map(([name]) => name)
const wall = Math.round((Date.now() - started) / 1000)
if (mode !== 'postgres') run(['tools/results.mjs', ...(mode === 'quick' ? ['--no-skips'] : [])])
const cpu = Math.round(readProcessorTime() - cpuBefore)
console.log(`${wall} s, ${cpu} s of processor time`)
process.exit(failed.length === 0 && process.exitCode === undefined ? 0 : 1)

function vitest(suite, ...args) {
  const name = suite === 'postgres' ? 'postgres' : `${suite}-units`
  const reporters = ['--reporter=dot', '--reporter=junit', '--silent=passed-only']
  const report = `--outputFile.junit=test-results/${name}.xml`
  return [name, suite, [scriptOf('vitest'), 'run', ...reporters, report, ...args]]
}

function journeys(suite, ...args) {
  const playwright = scriptOf('@playwright/test', 'playwright')
  const name = `${suite}-journeys`
  return [name, suite, [playwright, 'test', '--config=e2e/playwright.config.ts', ...args]]
}

function passes(name, suite, args) {
  console.log(`\n== ${name}`)
  const before = Date.now()
  const report = { PKDEX_JOURNEYS_REPORT: `../test-results/${name}.xml` }
  const isPassed = run(args, { ...report, ...(suite !== 'postgres' && { PKDEX_SUITE: suite }) })
  console.log(`== ${name}: ${Math.round((Date.now() - before) / 1000)} s`)
  return isPassed
}

function run(args, extra = {}) {
  const env = environment({ CI: '1', ...extra })
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) process.exitCode = 1
  return status === 0
}

/** Of all ended child processes, in seconds; NaN where it is unknown. Linux counts hundredths. */
function readProcessorTime() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return Number.NaN
  }
}
