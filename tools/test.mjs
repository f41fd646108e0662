// npm test: prepares the checkout and runs unit and API tests, short kill tests and browser tests. No test is retried.
// npm run test:fast: unit and API tests that start no processes. `postgres PATH ...`: the tests of .ci/run.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { environment, prepare, root, scriptOf } from './prepare.mjs'

const node = prepare()
const [mode = 'all', ...paths] = process.argv.slice(2)
/** Projects of vitest.config.ts. */
const fast = ['contract', 'biochem', 'protein-picture', 'server', 'web', 'web-alone']

/** @type {Record<string, [name: string, args: string[]][]>} */
const suites = {
  fast: [['units', vitest('units', ...fast.map((project) => `--project=${project}`))]],
  all: [
    ['units', vitest('units')],
    [
      'journeys',
      [scriptOf('@playwright/test', 'playwright'), 'test', '--config=e2e/playwright.config.ts'],
    ],
  ],
  postgres: [['postgres', vitest('postgres', ...paths)]],
}

if (mode !== 'postgres') rmSync(`${root}/test-results`, { recursive: true, force: true })
const failed = suites[mode].filter(([name, args]) => !passes(name, args)).map(([name]) => name)
const isProved = mode !== 'all' || passes('results', ['tools/results.mjs', ...failed])
process.exit(failed.length === 0 && isProved ? 0 : 1)

function vitest(name, ...args) {
  const reporters = ['--reporter=default', '--reporter=junit']
  return [
    scriptOf('vitest'),
    'run',
    ...reporters,
    `--outputFile.junit=test-results/${name}.xml`,
    ...args,
  ]
}

function passes(name, args) {
  const started = Date.now()
  console.log(`\n== ${name}`)
  const env = environment({ CI: '1' })
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit', env })
  if (name !== 'results') console.log(`== ${name}: ${Math.round((Date.now() - started) / 1000)} s`)
  return status === 0
}
