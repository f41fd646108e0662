/** Component tests: jsdom, and a console.error fails the test. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/**
 * Run by vitest.alone.config.ts, each with its own modules: files that replace or reload a module. All others share their
 * modules, and so must undo what they set in a store.
 */
export const alone = [
  'app/router',
  'features/previews/structure-scene',
  'lib/affinity-unit',
  'routes/results/edit-compound',
  'routes/results/structure-search',
].map((path) => `src/${path}.test.{ts,tsx}`)

// oxlint-disable-next-line import/no-default-export -- Vitest reads the default export.
export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    exclude: alone,
    // Loading the modules again for each file took longer than the tests.
    isolate: false,
    // As in the root's configuration, which does not apply to a project with a file of its own.
    maxWorkers: 2,
    setupFiles: ['src/test/setup.ts'],
    // The test of the tokens reads them; no other test needs a style.
    css: { include: /tokens\.css/ },
    testTimeout: 30_000,
    restoreMocks: true,
  },
})
