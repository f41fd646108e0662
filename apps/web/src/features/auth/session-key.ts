/** The session key in browser storage: `API-key` in local storage, parked in session storage while a page is closed. */

const KEY = 'API-key'
const PARKED = 'API-key.parked'
const ENDED = 'API-key.ended'

let pageId = randomId()

/** Names this page to the server, so that closing it can be distinguished from signing out. */
export function readPageId(): string {
  return pageId
}

/** A page restored from the browser's cache gets a new id: the old one was already closed. */
export function renewPageId(): void {
  pageId = randomId()
}

export function readKey(): string | null {
  return localStorage.getItem(KEY)
}

export function storeKey(key: string): void {
  localStorage.setItem(KEY, key)
}

/** Deletes the key. The mark is deleted first, so that other tabs can distinguish this from a key parked by a closing tab. */
export function dropKey(): void {
  sessionStorage.removeItem(PARKED)
  localStorage.setItem(ENDED, randomId())
  localStorage.removeItem(ENDED)
  localStorage.removeItem(KEY)
}

/** Keeps the key for a reload of this tab; drops the shared copy when no other tab needs it. */
export function parkKey(key: string, hasOtherTabs: boolean): void {
  sessionStorage.setItem(PARKED, key)
  if (!hasOtherTabs) localStorage.removeItem(KEY)
}

export function unparkKey(): void {
  const parked = sessionStorage.getItem(PARKED)
  if (parked === null) return
  sessionStorage.removeItem(PARKED)
  if (readKey() === null) storeKey(parked)
}

/** What another tab did to the key, from the browser's storage event. */
export function readKeyChange(event: StorageEvent): 'ended' | 'removed' | 'stored' | null {
  if (event.key === ENDED) return event.newValue === null ? null : 'ended'
  if (event.key !== KEY) return null
  return event.newValue === null ? 'removed' : 'stored'
}

/** Not `crypto.randomUUID`, which is unavailable on plain-http pages of a closed network. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
