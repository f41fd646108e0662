/** Component tests: jsdom, and a console.error fails the test. */
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// oxlint-disable-next-line import/no-default-export -- Vitest reads the default export.
export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    // The test of the tokens reads them; no other test needs a style.
    css: { include: /tokens\.css/ },
    testTimeout: process.env['CI'] ? 30_000 : 10_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
