/**
 * Unit tests of every workspace; each project brings its own environment. Browser journeys live in e2e/. `npm run test:fast`
 * leaves out `long` (below), `kills` and `tools`.
 */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Like the product (docs/decisions/023), but for its limits of memory, which are a server's. */
const execArgv = (
  JSON.parse(
    readFileSync(new URL('apps/server/node-flags.json', import.meta.url), 'utf8'),
  ) as string[]
).filter((flag) => !flag.startsWith('--max-'))

/** `npm test` sets CI: a machine that shares its cores is up to three times slower than an idle one. */
const testTimeout = process.env['CI'] ? 30_000 : 10_000
const node = {
  environment: 'node' as const,
  testTimeout,
  hookTimeout: 60_000,
  execArgv,
  // Loading the modules for each file took as long as the tests; each file has its own database and folder.
  isolate: false,
}

/** A machine that shares its cores needs half a minute for what takes two seconds alone. */
const patient = { ...node, testTimeout: 120_000, hookTimeout: 240_000 }

/** Server tests that start whole processes, fill disks and databases, or load the model several times. */
const long = [
  'src/account/initial-credits-once',
  'src/admin-database/long-export',
  'src/auth/admin/console',
  'src/command-line/predict',
  'src/files/bounded-lists',
  'src/files/large-upload',
  'src/inference/{explainer,no-telemetry,predictor}',
  'src/main/{earlier-data,fuzz,linear-time,predict-output,start-failure}',
  'src/platform/db/backup/*',
  'src/platform/db/embedded/*',
  'src/platform/jobs/thread-pool',
  'src/predictions/{charged-once,clock-set,earlier-versions}',
].map((path) => `${path}.test.ts`)
const kills = ['test/crash/*.test.ts']

/** What never opens PostgreSQL is not run again on it. */
const withoutServer = process.env['PKDEX_TEST_DATABASE_URL']
  ? [
      'src/measurements/{agreement,read-values}',
      'src/platform/db/{await-server,bounded-reports,connection-turns}',
      'src/platform/db/{backup/backup,embedded/*}',
      'src/platform/jobs/thread-pool',
      'src/predictions/{earlier-versions,profile-score,worker}',
      'test/crash/{own-disk,read-only-disk}',
    ].map((path) => `${path}.test.ts`)
  : []
const skipped = ['**/node_modules/**', ...withoutServer]

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default defineConfig({
  test: {
    // Two cores are the machine this must pass on; more files at once only contend for the database.
    maxWorkers: 2,
    projects: [
      { test: { ...node, name: 'contract', root: 'packages/contract' } },
      { test: { ...node, name: 'biochem', root: 'packages/biochem' } },
      { test: { ...node, name: 'protein-picture', root: 'packages/protein-picture' } },
      {
        test: {
          ...node,
          name: 'server',
          root: 'apps/server',
          exclude: [...skipped, ...long, ...kills],
        },
      },
      { test: { ...patient, name: 'long', root: 'apps/server', include: long, exclude: skipped } },
      {
        test: { ...patient, name: 'kills', root: 'apps/server', include: kills, exclude: skipped },
      },
      { test: { ...patient, name: 'tools', root: 'tools' } },
      'apps/*/vitest*.config.ts',
    ],
  },
})
