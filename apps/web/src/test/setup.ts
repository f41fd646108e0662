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

// A busy machine is not a fault of the page; but less than a test may take, so that the missing element is named.
configure({ asyncUtilTimeout: process.env['CI'] ? 25_000 : 8000 })

/** At least the time between two frames. */
const FRAME_MS = 17

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  vi.spyOn(console, 'error')
})

afterEach(() => {
  cleanup()
  if (vi.isFakeTimers()) {
    // jsdom's timer for the next frame may be a fake one; unless it fires, no test of this process gets a frame again.
    vi.advanceTimersByTime(FRAME_MS)
    vi.useRealTimers()
  }
  // Not by the option `unstubGlobals`: it acts before the next test, and so after the modules of the next file are loaded.
  vi.unstubAllGlobals()
  // oxlint-disable-next-line vitest/no-standalone-expect -- it applies to every test
  expect(console.error, 'console.error was called').not.toHaveBeenCalled()
})

// jsdom lacks functions of the browser that Mantine needs.
Object.defineProperty(window, 'matchMedia', {
  value: (query: string) => ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
})

// Nor does it draw: it prints a warning for every canvas.
HTMLCanvasElement.prototype.getContext = () => null

// jsdom has no layout either: nothing is resized, and everything counts as visible.
class NeverCalled {
  observe() {}
  unobserve() {}
  disconnect() {}
}
for (const name of ['IntersectionObserver', 'ResizeObserver']) {
  Object.defineProperty(window, name, { value: NeverCalled, configurable: true })
}
