/**
 * Unit tests of every workspace; each project brings its own environment. Browser journeys live in e2e/. Tests that start
 * whole processes, fill disks, need PostgreSQL or real data, or take long are named `*.deep.test.ts` or are in
 * `test/crash`. PKDEX_SUITE selects: `quick` leaves them out (`npm test`), `deep` runs only them (`npm run test:deep`).
 */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const suite = process.env['PKDEX_SUITE'] ?? 'all'
const deep = ['**/*.deep.test.ts', '**/test/crash/*.test.ts']

/** Like the product (docs/decisions/023), but for its limits of memory, which are a server's. */
const execArgv = (
  JSON.parse(
    readFileSync(new URL('apps/server/node-flags.json', import.meta.url), 'utf8'),
  ) as string[]
).filter((flag) => !flag.startsWith('--max-'))

/** What never opens PostgreSQL is not run again on it. */
const withoutServer = process.env['PKDEX_TEST_DATABASE_URL']
  ? [
      'src/measurements/{agreement,read-values}.test.ts',
      'src/platform/db/{await-server,connection-turns}.test.ts',
      'src/platform/db/{bounded-reports,backup/backup,embedded/*}.deep.test.ts',
      'src/platform/jobs/thread-pool.deep.test.ts',
      'src/predictions/{profile-score,worker}.test.ts',
      'src/predictions/earlier-versions.deep.test.ts',
      'test/crash/{killed-poses,own-disk,read-only-disk}.test.ts',
    ]
  : []

const node = {
  environment: 'node' as const,
  // A machine that shares its cores needs half a minute for what takes two seconds alone.
  testTimeout: suite === 'quick' ? 30_000 : 120_000,
  hookTimeout: suite === 'quick' ? 60_000 : 240_000,
  execArgv,
  // Loading the modules for each file took as long as the tests; each file has its own database and folder.
  isolate: false,
  ...(suite === 'deep' && { include: deep }),
  exclude: [
    '**/node_modules/**',
    ...withoutServer,
    ...(suite === 'quick' ? deep : []),
    ...(suite === 'all' ? [] : ['**/*.check.test.ts']),
  ],
}

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default defineConfig({
  test: {
    // Two cores are the machine this must pass on. Where processes are killed and waited for, a third file uses the pauses.
    maxWorkers: suite === 'deep' || process.env['PKDEX_TEST_DATABASE_URL'] ? 3 : 2,
    passWithNoTests: true,
    projects: [
      { test: { ...node, name: 'contract', root: 'packages/contract' } },
      { test: { ...node, name: 'intake', root: 'packages/intake' } },
      { test: { ...node, name: 'biochem', root: 'packages/biochem' } },
      { test: { ...node, name: 'protein-picture', root: 'packages/protein-picture' } },
      { test: { ...node, name: 'server', root: 'apps/server' } },
      { test: { ...node, name: 'tools', root: 'tools' } },
      ...(suite === 'deep' ? [] : ['apps/*/vitest*.config.ts']),
    ],
  },
})
