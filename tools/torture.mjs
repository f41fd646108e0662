// npm run torture: the long suites that try to break what the product promises, all of them or those that are named
// (npm run torture -- kills fuzz). Prints what was measured; docs/reliability.md keeps it, with date and machine.
import { spawnSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { environment, prepare, root, scriptOf } from './prepare.mjs'

const crash = 'apps/server/src/predictions/crash'

/** @type {Record<string, { files: string[], settings?: Record<string, string> }>} */
const suites = {
  kills: {
    files: [`${crash}/crash.test.ts`, `${crash}/worker-dies.test.ts`],
    settings: { PKDEX_CRASH_ROUNDS: '100' },
  },
  screens: {
    files: ['apps/server/src/screens/crash/killed-screens.test.ts'],
    settings: { PKDEX_SCREEN_CRASH_ROUNDS: '20' },
  },
  mixed: {
    files: ['apps/server/src/main/crash/mixed.test.ts'],
    settings: { PKDEX_MIXED_ROUNDS: '100', PKDEX_MIXED_SERVER_ROUNDS: '50' },
  },
  power: {
    files: [`${crash}/own-disk.test.ts`, `${crash}/power-cuts.test.ts`],
    settings: { PKDEX_POWER_ROUNDS: '20' },
  },
  postgres: { files: [`${crash}/postgres-restarts.test.ts`, `${crash}/postgres-away.torture.ts`] },
  failover: { files: [`${crash}/failover.torture.ts`] },
  processes: { files: [`${crash}/processes.torture.ts`] },
  overload: { files: ['torture/overload.torture.ts'] },
  shares: { files: ['torture/shares.torture.ts'] },
  shutdown: { files: ['torture/shutdown.torture.ts'] },
  folders: { files: ['torture/folders.torture.ts', `${crash}/read-only-disk.test.ts`] },
  callers: { files: ['apps/server/src/main/every-caller.test.ts'] },
  fuzz: {
    files: ['apps/server/src/main/fuzz.test.ts'],
    settings: { PKDEX_FUZZ_CALLS: '20000', PKDEX_FUZZ_FILES: '5000' },
  },
  backup: { files: ['apps/server/src/platform/db/backup'] },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in suites))
if (unknown.length > 0) {
  console.error(
    `There is no suite ${unknown.join(', ')}. There are: ${Object.keys(suites).join(', ')}.`,
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
  console.log(`\n${hasPassed ? 'held' : 'FAILED'}: ${name}, ${minutes} min`)
  for (const line of measured) console.log(`  ${line}`)
}
process.exit(results.every(({ hasPassed }) => hasPassed) ? 0 : 1)

function run({ files, settings = {} }) {
  const started = Date.now()
  const args = ['run', '--config', 'torture/vitest.config.ts', '--reporter=verbose', ...files]
  // What suites print is wanted as a text; the settings of whoever calls come last, so that rounds can be chosen.
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
