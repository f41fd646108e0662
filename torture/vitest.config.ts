/** The long suites of `npm run torture`: these, and those of apps/server/test. */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

const flags: string[] = JSON.parse(
  readFileSync(new URL('../apps/server/node-flags.json', import.meta.url), 'utf8'),
)

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default defineConfig({
  test: {
    name: 'torture',
    root: new URL('..', import.meta.url).pathname,
    environment: 'node',
    include: [
      'torture/**/*.torture.ts',
      'apps/server/test/**/*.torture.ts',
      // Settings make these long here; npm test runs a short form.
      'apps/server/test/crash/*.test.ts',
      'apps/server/src/main/{fuzz.deep,every-caller}.test.ts',
      'apps/server/src/predictions/charged-once.deep.test.ts',
      'apps/server/src/platform/db/backup/*.test.ts',
    ],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // One at a time, because they load the machine and measure it.
    maxWorkers: 1,
    execArgv: flags.filter((flag) => !flag.startsWith('--max-')),
  },
})
