/**
 * Limits memory-heavy work, such as the table of a large screen: a few places in all and per reader. If none is free, a
 * caller waits briefly, and work that has had its place for long may have to give it up.
 */
import { finished, Readable } from 'node:stream'
import { AppError } from './errors.ts'

export type Place = {
  /** Safe to call twice. */
  leave(): void
  /** `end` is called if others wait and this place was taken long ago. It must lead to `leave`. */
  onWanted(end: () => void): void
}

export type Places = {
  /** Fails with the reason of `gone` if that aborts. */
  take(reader: string, gone?: AbortSignal): Promise<Place>
}

type Bounds = {
  all: number
  perReader: number
  /** How long to wait for a place before refusing. */
  waitMsMax: number
  /** Minimum time before a reader must give up its place. */
  keptMs?: number
  /** Message for a reader with too many of their own (429), and for one who finds all in use (503). */
  ownTaken: string
  allTaken: string
}

type Taken = { reader: string; since: number; end?: () => void }
type Waiting = { reader: string; admit: () => void }

const KEPT_MS = 120_000
const RETRY_AFTER_SECONDS = 5

export function openPlaces(bounds: Bounds): Places {
  const { all, perReader, waitMsMax, keptMs = KEPT_MS } = bounds
  /** Oldest first. */
  const taken: Taken[] = []
  const line: Waiting[] = []
  const hasOwn = (reader: string) => taken.filter((one) => one.reader === reader).length < perReader
  const hasRoom = (reader: string) => taken.length < all && hasOwn(reader)

  function occupy(reader: string): Place {
    const own: Taken = { reader, since: performance.now() }
    taken.push(own)
    return { leave: () => leave(own), onWanted: (end) => void (own.end = end) }
  }

  function leave(own: Taken): void {
    const at = taken.indexOf(own)
    if (at === -1) return
    taken.splice(at, 1)
    // The first in the queue who may have it: readers at their limit are skipped.
    const next = line.findIndex(({ reader }) => hasRoom(reader))
    line.splice(next, next === -1 ? 0 : 1)[0]?.admit()
  }

  function endOldest(): void {
    const over = performance.now() - keptMs
    taken.find(({ end, since }) => end !== undefined && since <= over)?.end?.()
  }

  async function wait(reader: string, gone: AbortSignal | undefined): Promise<Place> {
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const waiting = { reader, admit: () => resolve(occupy(reader)) }
    const giveUp = (reason: unknown) => {
      const at = line.indexOf(waiting)
      if (at === -1) return
      line.splice(at, 1)
      reject(reason)
    }
    line.push(waiting)
    const timer = setTimeout(() => giveUp(refusal(hasOwn(reader), bounds)), waitMsMax)
    const hangUp = () => giveUp(gone?.reason)
    gone?.addEventListener('abort', hangUp)
    if (hasOwn(reader)) endOldest()
    return promise.finally(() => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', hangUp)
    })
  }

  return {
    async take(reader, gone) {
      gone?.throwIfAborted()
      return hasRoom(reader) ? occupy(reader) : wait(reader, gone)
    },
  }
}

function refusal(hasOwn: boolean, { ownTaken, allTaken }: Bounds): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS }
  return hasOwn
    ? new AppError('unavailable', allTaken, options)
    : new AppError('too_many_requests', ownTaken, options)
}

/** Does `work` in a place; a streamed response keeps the place until it closes. */
export async function inPlace<Answer>(place: Place, work: () => Promise<Answer>): Promise<Answer> {
  let isStream = false
  try {
    const answer = await work()
    if (answer instanceof Readable) {
      isStream = true
      finished(answer, () => place.leave())
      place.onWanted(() => answer.destroy(new Error('a slow reader gave up its place to others')))
    }
    return answer
  } finally {
    if (!isStream) place.leave()
  }
}
