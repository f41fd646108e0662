/** What every component test stands on: a clean page after each, and no complaint on the console left unheard. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'

// How long to look for what is to appear: a busy machine is no fault of the page.
configure({ asyncUtilTimeout: 15_000 })

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

// Nor does it know modal dialogs.
Object.defineProperty(HTMLDialogElement.prototype, 'showModal', {
  value(this: HTMLDialogElement) {
    this.open = true
  },
})
Object.defineProperty(HTMLDialogElement.prototype, 'close', {
  value(this: HTMLDialogElement) {
    this.open = false
    this.dispatchEvent(new Event('close'))
  },
})
