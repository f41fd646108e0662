/**
 * Setup of every component test: an API client with a session, a clean page after each test, and failure on console
 * errors.
 */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { readKey, readPageId } from '#web/features/auth/session-key.ts'
import { callAs } from '#web/lib/api.ts'

// As the app does when it starts.
callAs({ readKey, readPageId })

// How long to look for what is to appear: a busy machine is no fault of the page.
configure({ asyncUtilTimeout: 50_000 })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.spyOn(console, 'error')
})

afterEach(() => {
  cleanup()
  // oxlint-disable-next-line vitest/no-standalone-expect -- it stands for every test
  expect(console.error, 'console.error was called').not.toHaveBeenCalled()
})

// jsdom lacks what Mantine asks the browser for.
Object.defineProperty(window, 'matchMedia', {
  value: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
})

// Nor does jsdom scroll, so everything stays in sight.
class AlwaysInSight {
  observe() {}
  disconnect() {}
}
Object.defineProperty(window, 'IntersectionObserver', {
  value: AlwaysInSight,
  configurable: true,
})
