// Runs npm test and then what only a landing needs: the static checks, those of the training code included, the
// server's tests on a real PostgreSQL, the training code's tests and those of the Python client. Installs what it needs itself. The last
// line counts everything.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closingLines, isGreen, missingSuite, readSuite, suiteOfOne } from './counts.mjs'
import { findDatabaseTests } from './database-tests.mjs'
import { prepare, root } from './prepare.mjs'
import { findQuarantineFaults, readQuarantine, wordQuarantine } from './quarantine.mjs'
import { findUnproved, readRows, readTitles } from './specification.mjs'
import { reportFile, run, runStep, runUnitTests } from './suites.mjs'
import { trainingPython } from './training-python.mjs'

const countsFile = reportFile('counts')
run('npm test', 'npm', ['test'])
const suites = existsSync(countsFile)
  ? JSON.parse(readFileSync(countsFile, 'utf8'))
  : [missingSuite('npm test')]
const node = prepare()
const python = installPython()
suites.push(
  runStep('npm run check', node, ['tools/check.mjs', '--with-python']),
  runOnPostgres(),
  runTrainingTests(),
  runPythonClientTests(),
)

const quarantine = readQuarantine()
const unproved = findUnproved({ rows: readRows(), titles: readTitles(), suites, hasPostgres: true })
suites.push(
  suiteOfOne('quarantine', findQuarantineFaults(quarantine, suites, new Date())),
  suiteOfOne('specification', unproved),
)
console.log(wordQuarantine(quarantine))
console.log(closingLines(suites))
process.exit(isGreen(suites) ? 0 : 1)

/** The server tests that npm test ran on the embedded database. */
function runOnPostgres() {
  const name = 'server tests on PostgreSQL'
  const address = startPostgres()
  if (address === null) return missingSuite(name)
  return runUnitTests(node, {
    name,
    files: findDatabaseTests(join(root, 'apps/server/src')),
    // npm test has killed the embedded product twenty times; half as many here keep CI well under its limit.
    settings: { PKDEX_TEST_DATABASE_URL: address, PKDEX_CRASH_ROUNDS: '6' },
  })
}

/** Uses the server on the standard port if one answers; otherwise installs and starts Debian's. */
function startPostgres() {
  const address = 'postgres://postgres@127.0.0.1:5432/postgres'
  const answers = () =>
    spawnSync('pg_isready', ['-q', '-h', '127.0.0.1'], { stdio: 'ignore' }).status === 0
  if (answers()) return address
  run('install PostgreSQL', 'bash', [
    '-c',
    `apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y postgresql >/dev/null &&
     sed -i 's/scram-sha-256/trust/' /etc/postgresql/*/main/pg_hba.conf &&
     for version in $(ls /etc/postgresql); do pg_ctlcluster --skip-systemctl-redirect "$version" main restart; done`,
  ])
  return answers() ? address : null
}

/** An environment of the checkout's own with what the Python code needs, the client as pip installs it, and what checks them. */
function installPython() {
  const { folder, interpreter } = trainingPython
  if (!existsSync(interpreter)) {
    const venv = ['-m', 'venv', '--system-site-packages', folder]
    run('create the Python environment', 'python3', venv)
  }
  const needed = ['training', 'clients/python'].flatMap((code) => [
    '-r',
    `${code}/requirements-dev.txt`,
  ])
  const install = ['-m', 'pip', 'install', '-q', ...needed, './clients/python']
  run('install the Python requirements and the client', interpreter, install)
  return interpreter
}

function runTrainingTests() {
  return runPythonTests('training tests', 'training/tests')
}

/** They start the product themselves, and run the notebook. */
function runPythonClientTests() {
  return runPythonTests('Python client tests', 'clients/python/tests', { PKDEX_NODE: node })
}

function runPythonTests(name, folder, settings = {}) {
  const report = reportFile(name)
  const args = ['-m', 'pytest', folder, '-q', `--junitxml=${report}`]
  return readSuite('pytest', report, { name, ...run(name, python, args, settings) })
}
