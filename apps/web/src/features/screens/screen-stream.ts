/**
 * Follows a screen while it runs: server-sent events, or if no stream gets through, polling. A broken or suspended
 * connection resumes after the last event received.
 */
import { POLL_INTERVAL_MS, readScreen, Screen, ScreenBlock, watchScreen } from '@pkdex/contract'
import { ApiError, call, openCall } from '#web/lib/api.ts'
import { parseJson } from '#web/lib/client.ts'

/** Maximum wait for the first event, which the server sends immediately, and for any later one. */
const FIRST_EVENT_MS = 6000
const SILENCE_MS = 40_000

type Follower = {
  onScreen: (screen: Screen) => void
  onBlock: (block: ScreenBlock) => void
  /** The status was polled: blocks may have finished without an event. */
  onGap: (screen: Screen) => void
}

export function hasEnded({ status }: Pick<Screen, 'status'>): boolean {
  return status !== 'QUEUED' && status !== 'RUNNING'
}

/** Returns when the screen ends, or when `signal` aborts; throws if trying again cannot help. */
export async function followScreen(
  id: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const place = { lastEventId: '' }
  while (!signal.aborted) {
    if (await listen(id, follower, place, signal).catch(() => false)) return
    const screen = await readState(id, signal)
    if (screen !== null) {
      follower.onGap(screen)
      if (hasEnded(screen)) return
    }
    await pause(POLL_INTERVAL_MS, signal)
  }
}

/** Returns whether the screen has ended; false if the stream ended before it. */
async function listen(
  id: string,
  { onScreen, onBlock }: Follower,
  place: { lastEventId: string },
  signal: AbortSignal,
): Promise<boolean> {
  const watch = new Watchdog(signal)
  try {
    const headers = place.lastEventId === '' ? {} : { 'Last-Event-ID': place.lastEventId }
    const options = { params: { id }, headers, signal: watch.signal }
    const response = await openCall(watchScreen, options)
    for await (const event of readEvents(response, watch)) {
      if (event.id !== '') place.lastEventId = event.id
      if (event.name === 'block') onBlock(ScreenBlock.parse(parseJson(event.data)))
      if (event.name !== 'screen') continue
      const screen = Screen.parse(parseJson(event.data))
      onScreen(screen)
      if (hasEnded(screen)) return true
    }
    return false
  } finally {
    watch.stop()
  }
}

/** Ends a silent stream: the connection was lost or a proxy buffers it. */
class Watchdog {
  readonly #silent = new AbortController()
  readonly signal: AbortSignal
  #timer: ReturnType<typeof setTimeout>

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#silent.signal])
    this.#timer = setTimeout(() => this.stop(), FIRST_EVENT_MS)
  }

  /** The connection is alive. */
  feed(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.stop(), SILENCE_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#silent.abort()
  }
}

/** Null while the server does not respond. */
async function readState(id: string, signal: AbortSignal): Promise<Screen | null> {
  try {
    return await call(readScreen, { params: { id }, signal })
  } catch (error) {
    const isOutage = error instanceof ApiError && (error.status === 0 || error.status >= 429)
    if (isOutage || signal.aborted) return null
    throw error
  }
}

type ServerEvent = { id: string; name: string; data: string }

async function* readEvents(
  response: Response,
  watch: Watchdog,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  watch.signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined))
  let text = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return
    watch.feed()
    const parts = (text + value).split('\n\n')
    // The last part is incomplete.
    text = parts.pop() ?? ''
    for (const part of parts) yield toEvent(part)
  }
}

function toEvent(part: string): ServerEvent {
  const event = { id: '', event: '', data: '' }
  for (const line of part.split('\n')) {
    const [, field, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (field === 'id' || field === 'event' || field === 'data') event[field] += value
  }
  return { id: event.id, name: event.event, data: event.data }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
