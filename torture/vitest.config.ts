/** The long suites of `npm run torture`; a file of them stands beside what it tortures, or here where that is everything. */
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
      'apps/server/src/**/*.torture.ts',
      // In npm test these have a short form, and here a long one, by settings.
      'apps/server/src/{predictions,screens,main}/crash/*.test.ts',
      'apps/server/src/main/{fuzz,every-caller}.test.ts',
      'apps/server/src/platform/db/backup/*.test.ts',
    ],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    // One at a time: they load the machine, and measure it.
    maxWorkers: 1,
    execArgv: flags.filter((flag) => !flag.startsWith('--max-')),
  },
})
