/** Unit tests of every workspace; each project brings its own environment. Browser journeys live in e2e/. */
import { defineConfig } from 'vitest/config'

const node = {
  environment: 'node' as const,
  testTimeout: 60_000,
  hookTimeout: 180_000,
  // Like the product: see docs/decisions/023.
  execArgv: ['--no-wasm-code-gc', '--no-memory-protection-keys'],
}

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default defineConfig({
  test: {
    // Two cores are the machine this must pass on; more files at once only contend for the database.
    maxWorkers: 2,
    projects: [
      { test: { ...node, name: 'biochem', root: 'packages/biochem' } },
      { test: { ...node, name: 'server', root: 'apps/server' } },
      { test: { ...node, name: 'tools', root: 'tools' } },
      'apps/*/vitest.config.ts',
    ],
  },
})
