// npm run torture: long suites that try to break the product's guarantees, all of them or those named
// (npm run torture -- kills fuzz). Prints the measurements; docs/reliability.md records them, with date and machine.
import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { environment, prepare, root, scriptOf } from './prepare.mjs'

const crash = 'apps/server/test/crash'

/** A suite runs the scenarios of kills.test.ts and restarts.test.ts for which it sets rounds. */
const noRounds = Object.fromEntries(
  ['CRASH_ROUNDS', 'CRASH_SERVER_ROUNDS', 'SCREEN_CRASH_ROUNDS', 'POWER_ROUNDS']
    .concat('ROLLING_TURNS', 'RESTART_ROUNDS')
    .map((name) => [`PKDEX_${name}`, '0']),
)

/** @type {Record<string, { files: string[], settings?: Record<string, string> }>} */
const suites = {
  kills: {
    files: [`${crash}/kills.test.ts`],
    settings: { ...noRounds, PKDEX_CRASH_ROUNDS: '100', PKDEX_CRASH_SERVER_ROUNDS: '50' },
  },
  screens: {
    files: [`${crash}/kills.test.ts`, `${crash}/killed-poses.test.ts`],
    settings: { ...noRounds, PKDEX_SCREEN_CRASH_ROUNDS: '20' },
  },
  charges: {
    files: ['apps/server/src/predictions/charged-once.deep.test.ts'],
    settings: { PKDEX_CHARGE_ROUNDS: '200', PKDEX_INTERLEAVINGS: '200' },
  },
  power: {
    files: [`${crash}/own-disk.test.ts`, `${crash}/kills.test.ts`],
    settings: { ...noRounds, PKDEX_POWER_ROUNDS: '20' },
  },
  processes: {
    files: [`${crash}/restarts.test.ts`],
    settings: { ...noRounds, PKDEX_ROLLING_TURNS: '3' },
  },
  postgres: {
    files: [`${crash}/restarts.test.ts`, `${crash}/outages.torture.ts`],
    settings: { ...noRounds, PKDEX_RESTART_ROUNDS: '3' },
  },
  overload: { files: ['torture/overload.torture.ts'] },
  abuse: { files: ['torture/abuse.torture.ts'] },
  shares: { files: ['torture/shares.torture.ts'] },
  shutdown: { files: ['torture/shutdown.torture.ts'] },
  folders: { files: ['torture/folders.torture.ts', `${crash}/read-only-disk.test.ts`] },
  callers: { files: ['apps/server/src/main/every-caller.test.ts'] },
  fuzz: {
    files: ['apps/server/src/main/fuzz.deep.test.ts'],
    settings: { PKDEX_FUZZ_CALLS: '20000', PKDEX_FUZZ_FILES: '5000' },
  },
  backup: {
    files: ['apps/server/src/platform/db/backup'],
    settings: { PKDEX_BACKUP_SCHEMAS: 'all' },
  },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in suites))
if (unknown.length > 0) {
  console.error(
    `Unknown suite: ${unknown.join(', ')}. Available: ${Object.keys(suites).join(', ')}.`,
  )
  process.exit(1)
}
const node = prepare()
const results = Object.entries(suites)
  .filter(([name]) => chosen.length === 0 || chosen.includes(name))
  .map(([name, suite]) => ({ name, ...run(suite) }))

const date = new Date().toISOString().slice(0, 10)
console.log(
  `\n${date}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB`,
)
for (const { name, hasPassed, minutes, measured } of results) {
  console.log(`\n${hasPassed ? 'passed' : 'FAILED'}: ${name}, ${minutes} min`)
  for (const line of measured) console.log(`  ${line}`)
}
process.exit(results.every(({ hasPassed }) => hasPassed) ? 0 : 1)

function run({ files, settings = {} }) {
  const started = Date.now()
  const args = ['run', '--config', 'torture/vitest.config.ts', '--reporter=verbose', ...files]
  // The output of suites is captured as text; the caller's settings come last, so that they can set the rounds.
  const { status, stdout } = spawnSync(node, [scriptOf('vitest'), ...args], {
    cwd: root,
    env: { ...settings, ...environment({ NO_COLOR: '1' }) },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
  process.stdout.write(stdout)
  return {
    hasPassed: status === 0,
    minutes: ((Date.now() - started) / 60_000).toFixed(1),
    measured: [...stdout.matchAll(/measured: (.*)/g)].map(([, line]) => line),
  }
}
