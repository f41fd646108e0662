/** Unit tests of every workspace; each project brings its own environment. Browser journeys live in e2e/. */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Like the product (docs/decisions/023), but for its limits of memory, which are a server's. */
const execArgv = (
  JSON.parse(
    readFileSync(new URL('apps/server/node-flags.json', import.meta.url), 'utf8'),
  ) as string[]
).filter((flag) => !flag.startsWith('--max-'))

const node = {
  environment: 'node' as const,
  // As a journey has: a machine whose cores others use as well takes half a minute for what else takes two seconds.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  execArgv,
}

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default defineConfig({
  test: {
    // Two cores are the machine this must pass on; more files at once only contend for the database.
    maxWorkers: 2,
    projects: [
      { test: { ...node, name: 'biochem', root: 'packages/biochem' } },
      { test: { ...node, name: 'protein-picture', root: 'packages/protein-picture' } },
      { test: { ...node, name: 'server', root: 'apps/server' } },
      { test: { ...node, name: 'tools', root: 'tools' } },
      'apps/*/vitest.config.ts',
    ],
  },
})
