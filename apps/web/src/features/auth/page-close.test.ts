import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { serveCalls } from '#web/test/calls.ts'
import { watchPageClose } from './page-close.ts'
import { readPageId, renewPageId, storeKey } from './session-key.ts'
import { readSession, startSession } from './session.ts'

const goodbyes = {
  'POST /dta/login': () => Response.json({ email: 'ada@example.org', name: 'Ada' }),
  'POST /dta/logout': () => Response.json({ message: 'ok' }),
  'POST /file_manager/logout': () => Response.json({ message: 'ok' }),
}
const other = new BroadcastChannel('pkdex-tabs')

/** The page's end of the channel: once it receives a message, the page has processed it. */
let own: BroadcastChannel
beforeAll(() => {
  const opened = vi.spyOn(globalThis, 'BroadcastChannel')
  watchPageClose()
  own = opened.mock.results[0]?.value as BroadcastChannel
  opened.mockRestore()
})

afterEach(() => tellAsOther('bye'))

test('SPEC 4.4: closing the page sends both logouts, with its page id, even after it is gone', () => {
  storeKey('pk-1')
  const calls = serveCalls(goodbyes)
  dispatchEvent(new Event('pagehide'))
  expect(calls.map(({ name }) => name)).toEqual(['POST /dta/logout', 'POST /file_manager/logout'])
  for (const { headers, keepalive } of calls) {
    expect(headers.get('API-Key')).toBe('pk-1')
    expect(headers.get('X-Page-Id')).toBe(readPageId())
    expect(keepalive).toBe(true)
  }
})

test('SPEC 4.4: closing the last tab leaves no key for the next visitor', () => {
  storeKey('pk-1')
  serveCalls(goodbyes)
  dispatchEvent(new Event('pagehide'))
  expect(localStorage.getItem('API-key')).toBeNull()
})

test('a reload of the same tab keeps its key', async () => {
  storeKey('pk-1')
  serveCalls(goodbyes)
  dispatchEvent(new Event('pagehide'))
  await startSession()
  expect(localStorage.getItem('API-key')).toBe('pk-1')
  expect(readSession()).toMatchObject({ status: 'signed-in', key: 'pk-1' })
})

test('while another tab is open the key stays in shared storage', async () => {
  storeKey('pk-1')
  serveCalls(goodbyes)
  await tellAsOther('hello')
  dispatchEvent(new Event('pagehide'))
  expect(localStorage.getItem('API-key')).toBe('pk-1')
})

test('SPEC 4.4: other tabs do not count a tab that closes signed out', async () => {
  // Messages of earlier tests under the old id may still arrive.
  renewPageId()
  const heard: unknown[] = []
  other.addEventListener('message', ({ data }) => heard.push(data))
  const calls = serveCalls(goodbyes)
  dispatchEvent(new Event('pagehide'))
  await vi.waitFor(() => expect(heard).toContainEqual({ kind: 'bye', from: readPageId() }), 50_000)
  expect(calls).toEqual([])
})

test('a page restored from the browser cache claims the session with a new page id', async () => {
  storeKey('pk-1')
  const calls = serveCalls(goodbyes)
  const before = readPageId()
  dispatchEvent(new Event('pagehide'))
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await vi.waitFor(() => expect(calls.at(-1)?.name).toBe('POST /dta/login'), 50_000)
  expect(calls.at(-1)?.headers.get('X-Page-Id')).toBe(readPageId())
  expect(readPageId()).not.toBe(before)
})

test('a key that another closing tab parked is restored', async () => {
  storeKey('pk-1')
  serveCalls(goodbyes)
  await startSession()
  localStorage.removeItem('API-key')
  tellStorage('API-key', null)
  expect(localStorage.getItem('API-key')).toBe('pk-1')
})

test('signing out in another tab signs out here', async () => {
  storeKey('pk-1')
  serveCalls(goodbyes)
  await startSession()
  localStorage.removeItem('API-key')
  tellStorage('API-key.ended', 'mark')
  tellStorage('API-key', null)
  expect(readSession()).toEqual({ status: 'anonymous', message: null })
  expect(localStorage.getItem('API-key')).toBeNull()
})

test('signing in in another tab signs in here', async () => {
  serveCalls(goodbyes)
  await startSession()
  storeKey('pk-2')
  tellStorage('API-key', 'pk-2')
  await vi.waitFor(
    () => expect(readSession()).toMatchObject({ status: 'signed-in', key: 'pk-2' }),
    50_000,
  )
})

function tellStorage(key: string, newValue: string | null) {
  dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }))
}

/** Resolves when the page has received it. */
async function tellAsOther(kind: 'hello' | 'bye') {
  const isHeard = new Promise<void>((resolve) => {
    own.addEventListener('message', ({ data }: MessageEvent<{ kind: string }>) => {
      if (data.kind === kind) resolve()
    })
  })
  other.postMessage({ kind, from: 'other-tab' })
  await isHeard
}
