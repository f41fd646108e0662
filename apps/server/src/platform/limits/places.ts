/**
 * Limits work in progress: a number of places in all and per user. Without a free place a caller waits; users are
 * served in rotation, so that one user's long list does not delay others. If too many wait, further callers are refused.
 */
import { finished, Readable } from 'node:stream'
import { AppError } from '#server/platform/errors.ts'

export type Place = {
  /** Safe to call twice. */
  leave(): void
  /**
   * `end` is called if others are waiting and this place was taken long ago, or is not used at the moment. It must lead to
   * `leave`.
   */
  onWanted(end: () => void, isIdle?: () => boolean): void
}

type Options = {
  /** Aborts when the caller disconnects: a waiting caller then leaves the queue. */
  gone?: AbortSignal | undefined
  /** A disconnected caller gives up the place, even if the work goes on. */
  endsWhenGone?: boolean
  /** Work that may take longer than a moment and cannot be split. */
  isLong?: boolean
  /** Waits even if too many of the user's callers are waiting already. */
  isPatient?: boolean
}

export type Places = {
  /** Fails with the reason of `gone` if `gone` aborts. */
  take(user: string, options?: Options): Promise<Place>
  /** Does `work` in a place; a streamed response keeps the place until it closes. */
  use<Answer>(user: string, work: () => Promise<Answer>, options?: Options): Promise<Answer>
  waiting(): number
}

type Bounds = {
  all?: number
  perUser?: number
  /** How many of all places may be used for long work. */
  long?: number
  /** How many callers per user may wait, and how long each may wait. */
  waitingMax?: number
  waitMsMax?: number
  /** Minimum time before a place must be given up for others. */
  keptMs?: number
  /** Required with a limit on waiting. `isOwn`: the user's own share is in use, or too many of their callers wait. */
  refusal?: (isOwn: boolean) => Error
}

type Taken = {
  user: string
  isLong: boolean
  since: number
  end?: () => void
  isIdle?: (() => boolean) | undefined
}
type Waiting = { isLong: boolean; admit: () => void }

const KEPT_MS = 120_000
/** A place may grow old while another user waits. */
const LOOK_INTERVAL_MS = 1000
/** A reader who takes nothing for this long gives way to others. */
export const IDLE_MS = 5000
const RETRY_AFTER_SECONDS = 5

/** 429 for a user with too much in progress; 503 if others use all places. */
export function busy(ownTaken: string, allTaken = ownTaken) {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS }
  return (isOwn: boolean) =>
    isOwn
      ? new AppError('too_many_requests', ownTaken, options)
      : new AppError('unavailable', allTaken, options)
}

export function openPlaces(bounds: Bounds): Places {
  const { waitingMax = Infinity, waitMsMax = Infinity, refusal = busy('') } = bounds
  const taken = openTaken(bounds)
  const lines = openLines()

  function occupy(user: string, isLong: boolean): Place {
    const own = taken.add(user, isLong)
    return {
      leave() {
        if (!taken.delete(own)) return
        lines.moveToEnd(user)
        lines.takeFirst(taken.hasRoom)?.admit()
      },
      onWanted: (end, isIdle) => void Object.assign(own, { end, isIdle }),
    }
  }

  async function wait(user: string, { gone, isLong = false }: Options): Promise<Place> {
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    const waiting = { isLong, admit: () => resolve(occupy(user, isLong)) }
    lines.add(user, waiting)
    const giveUp = (reason: unknown) => {
      if (lines.remove(user, waiting)) reject(reason)
    }
    const timer =
      waitMsMax < Infinity && setTimeout(() => giveUp(refusal(!taken.hasOwn(user))), waitMsMax)
    const hangUp = () => giveUp(gone?.reason)
    gone?.addEventListener('abort', hangUp)
    const endOldest = () => {
      if (taken.hasOwn(user)) taken.endOldest()
    }
    endOldest()
    const looks = setInterval(endOldest, LOOK_INTERVAL_MS)
    return promise.finally(() => {
      clearInterval(looks)
      if (timer !== false) clearTimeout(timer)
      gone?.removeEventListener('abort', hangUp)
    })
  }

  async function take(user: string, options: Options = {}): Promise<Place> {
    const { gone, isLong = false, isPatient = false } = options
    gone?.throwIfAborted()
    if (taken.hasRoom(user, isLong)) return occupy(user, isLong)
    if (!isPatient && lines.count(user) >= waitingMax) throw refusal(true)
    return wait(user, options)
  }

  return {
    take,
    async use(user, work, options = {}) {
      const { gone, endsWhenGone = false } = options
      const isEnded = gone !== undefined && endsWhenGone
      const place = await take(user, options)
      return inPlace(place, () => (isEnded ? untilGone(work(), gone) : work()))
    },
    waiting: () => lines.count(),
  }
}

function openTaken({ all = Infinity, perUser = Infinity, long = all, keptMs = KEPT_MS }: Bounds) {
  /** Oldest first. */
  const taken = new Set<Taken>()
  const count = (fits: (one: Taken) => boolean) => [...taken].filter(fits).length
  const hasOwn = (user: string) =>
    perUser === Infinity || count((one) => one.user === user) < perUser
  return {
    add(user: string, isLong: boolean): Taken {
      const one = { user, isLong, since: performance.now() }
      taken.add(one)
      return one
    },
    delete: (one: Taken) => taken.delete(one),
    hasOwn,
    hasRoom: (user: string, isLong: boolean) =>
      taken.size < all && hasOwn(user) && !(isLong && count((one) => one.isLong) >= long),
    endOldest() {
      const over = performance.now() - keptMs
      const oldest = [...taken].find(
        ({ end, since, isIdle }) => end !== undefined && (since <= over || isIdle?.() === true),
      )
      oldest?.end?.()
    },
  }
}

/** Waiting callers by user. */
function openLines() {
  /** In rotation order: the user who was served last comes last. */
  const lines = new Map<string, Waiting[]>()
  function moveToEnd(user: string): void {
    const line = lines.get(user)
    lines.delete(user)
    if (line !== undefined && line.length > 0) lines.set(user, line)
  }
  return {
    moveToEnd,
    add(user: string, waiting: Waiting): void {
      const line = lines.get(user)
      if (line === undefined) lines.set(user, [waiting])
      else line.push(waiting)
    },
    remove(user: string, waiting: Waiting): boolean {
      const line = lines.get(user) ?? []
      const at = line.indexOf(waiting)
      if (at !== -1) line.splice(at, 1)
      if (line.length === 0) lines.delete(user)
      return at !== -1
    },
    takeFirst(hasRoom: (user: string, isLong: boolean) => boolean): Waiting | undefined {
      for (const [user, line] of lines) {
        const at = line.findIndex(({ isLong }) => hasRoom(user, isLong))
        if (at === -1) continue
        const [next] = line.splice(at, 1)
        moveToEnd(user)
        return next
      }
      return undefined
    },
    count: (user?: string) =>
      user === undefined
        ? [...lines.values()].reduce((sum, line) => sum + line.length, 0)
        : (lines.get(user)?.length ?? 0),
  }
}

async function inPlace<Answer>(place: Place, work: () => Promise<Answer>): Promise<Answer> {
  let isStream = false
  try {
    const answer = await work()
    if (answer instanceof Readable) {
      isStream = true
      finished(answer, () => place.leave())
      place.onWanted(
        () => answer.destroy(new Error('a slow reader gave up its place to others')),
        watchIdle(answer),
      )
    }
    return answer
  } finally {
    if (!isStream) place.leave()
  }
}

/** Whether nobody has read from the stream for a while, although there is something to read. */
function watchIdle(stream: Readable): () => boolean {
  let pushedAt = performance.now()
  const push = stream.push.bind(stream)
  stream.push = (...pushed) => {
    pushedAt = performance.now()
    return push(...pushed)
  }
  return () =>
    stream.readableLength >= stream.readableHighWaterMark && performance.now() - pushedAt > IDLE_MS
}

function untilGone<Answer>(working: Promise<Answer>, gone: AbortSignal): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(gone.reason)
  gone.addEventListener('abort', leave)
  return Promise.race([working, promise]).finally(() => gone.removeEventListener('abort', leave))
}
