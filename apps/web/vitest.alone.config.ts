/** Component tests whose files load their modules for themselves. */
import { defineConfig } from 'vitest/config'
import config, { alone } from './vitest.config.ts'

// oxlint-disable-next-line import/no-default-export -- Vitest reads the default export.
export default defineConfig({
  ...config,
  test: { ...config.test, name: 'web-alone', include: alone, exclude: [], isolate: true },
})
