/**
 * Signs out when the last page is closed, and only then: reload, a second tab, or back navigation keep the session. At
 * `pagehide` a reload cannot be distinguished from a closed tab, so the page sends logout with its page id and parks
 * the key; the server waits a while for a page to claim the session again.
 */
import { logout, logoutFiles } from '@pkdex/contract'
import { call } from '#web/lib/api.ts'
import { followSignOut, readSession, startSession, validateSession } from './session.ts'
import {
  parkKey,
  readKey,
  readKeyChange,
  readPageId,
  renewPageId,
  storeKey,
  unparkKey,
} from './session-key.ts'

type Message = { kind: 'hello' | 'here' | 'bye'; from: string }

/** Call once, before the session starts. */
export function watchPageClose(): void {
  const tabs = new Set<string>()
  const channel = new BroadcastChannel('pkdex-tabs')
  const tell = (kind: Message['kind']) => channel.postMessage({ kind, from: readPageId() })

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'bye') tabs.delete(data.from)
    else tabs.add(data.from)
    if (data.kind === 'hello') tell('here')
  })
  tell('hello')

  addEventListener('pagehide', () => {
    const key = readKey()
    if (key !== null) leaveSession(key, tabs.size > 0)
    // Tabs count each other, signed in or not.
    tell('bye')
  })

  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    renewPageId()
    tabs.clear()
    tell('hello')
    unparkKey()
    void validateSession()
  })

  addEventListener('storage', followOtherTab)
}

function leaveSession(key: string, hasOtherTabs: boolean): void {
  const goodbye = { apiKey: key, keepalive: true }
  // The page is closing, so a failure cannot be shown.
  void Promise.allSettled([call(logout, goodbye), call(logoutFiles, goodbye)])
  parkKey(key, hasOtherTabs)
}

function followOtherTab(event: StorageEvent): void {
  const session = readSession()
  const ownKey = session.status === 'signed-in' ? session.key : null
  switch (readKeyChange(event)) {
    case 'ended':
      return followSignOut()
    case 'removed':
      // A closing tab parked the key for itself alone, but this one is still open.
      if (ownKey !== null) storeKey(ownKey)
      return
    case 'stored':
      if (event.newValue !== ownKey) void startSession()
      return
    case null:
      return
  }
}
