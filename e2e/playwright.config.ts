/** Browser tests on the real product: real files, the real model, the embedded database. */
import { fileURLToPath } from 'node:url'
import { defineConfig, devices } from '@playwright/test'
import { browserLaunch } from './browser.ts'

const { defaultBrowserType: _, ...desktop } = devices['Desktop Chrome']

// oxlint-disable-next-line import/no-default-export -- the tool reads the default export
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: fileURLToPath(new URL('prepare.ts', import.meta.url)),
  outputDir: '../test-results/journeys',
  // Each worker starts its own product.
  workers: 2,
  // On a machine whose cores are shared, something that otherwise takes five seconds may take a minute.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  forbidOnly: true,
  reporter: [
    [process.env['PKDEX_SUITE'] === 'quick' ? 'dot' : 'list'],
    [
      'junit',
      { outputFile: process.env['PKDEX_JOURNEYS_REPORT'] ?? '../test-results/journeys.xml' },
    ],
  ],
  use: {
    ...desktop,
    viewport: { width: 1280, height: 860 },
    launchOptions: browserLaunch,
    // No trace: it took a sixth of the processor time of journeys. Where one is needed: `--trace on`.
    screenshot: 'only-on-failure',
    locale: 'en-GB',
  },
})
