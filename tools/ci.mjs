// Runs npm test and then what only a landing needs: the static checks, the server's tests on a real PostgreSQL
// and the training code's tests. Installs what it needs itself. The last line counts everything.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closingLines, countPytest } from './counts.mjs'
import { prepare, root } from './prepare.mjs'
import { reportFile, run, runStep, runUnitTests } from './suites.mjs'

const countsFile = reportFile('counts')
run('npm test', 'npm', ['test'])
const suites = existsSync(countsFile)
  ? JSON.parse(readFileSync(countsFile, 'utf8'))
  : [missing('npm test')]
const node = prepare()
suites.push(
  runStep('npm run check', node, ['tools/check.mjs']),
  runOnPostgres(),
  runTrainingTests(),
)

console.log(closingLines(suites))
process.exit(suites.every(({ failed, isComplete }) => failed === 0 && isComplete) ? 0 : 1)

/** The same server tests that npm test ran on the embedded database. */
function runOnPostgres() {
  const name = 'server tests on PostgreSQL'
  const address = startPostgres()
  if (address === null) return missing(name)
  return runUnitTests(node, {
    name,
    projects: ['server'],
    // npm test has killed the embedded product twenty times; half as many here keep CI well under its limit.
    settings: { PKDEX_TEST_DATABASE_URL: address, PKDEX_CRASH_ROUNDS: '10' },
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

function runTrainingTests() {
  const name = 'training tests'
  const python = join(root, '.cache/training-python')
  const report = reportFile(name)
  const interpreter = join(python, 'bin/python')
  if (!existsSync(interpreter)) {
    run('create the Python environment', 'python3', [
      '-m',
      'venv',
      '--system-site-packages',
      python,
    ])
  }
  run('install the training requirements', interpreter, [
    '-m',
    'pip',
    'install',
    '-q',
    '-r',
    'training/requirements.txt',
  ])
  const status = run(name, interpreter, [
    '-m',
    'pytest',
    'training/tests',
    '-q',
    `--junitxml=${report}`,
  ])
  return { name, ...countPytest(report, status === 0) }
}

function missing(name) {
  return { name, passed: 0, failed: 1, skipped: 0, isComplete: false }
}
