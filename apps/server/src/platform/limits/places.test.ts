import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { busy, openPlaces, type Place } from './places.ts'

const LONG = 600_000
const refusal = busy('Two of yours.', 'Three in all.')
const bounds = { all: 3, perUser: 2, waitMsMax: 0, refusal }

const take = (places: ReturnType<typeof openPlaces>, users: string[]) =>
  Promise.all(users.map((user) => places.take(user)))

test('a user who exceeds their share gets 429, and 503 if all places are in use, both with Retry-After', async () => {
  const places = openPlaces(bounds)
  await take(places, ['ada', 'ada'])
  await expect(places.take('ada')).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Two of yours.',
    retryAfterSeconds: 5,
  })
  const last = await places.take('bob')
  await expect(places.take('cyd')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Three in all.',
    retryAfterSeconds: 5,
  })
  last.leave()
  await places.take('cyd')
})

test('waiting users get free places in rotation, within their share', async () => {
  const places = openPlaces({ ...bounds, waitMsMax: LONG })
  const [one, two, three] = await take(places, ['ada', 'ada', 'bob'])
  const order: string[] = []
  const ask = (user: string) =>
    places.take(user).then((place) => {
      order.push(user)
      return place
    })
  const [ada, cyd, dan] = [ask('ada'), ask('cyd'), ask('dan')]
  three?.leave()
  const place = await cyd
  // A place is released once.
  three?.leave()
  one?.leave()
  await dan
  expect(order).toEqual(['cyd', 'dan'])
  two?.leave()
  await ada
  place.leave()
})

test('a caller who disconnects leaves the queue and gets no place', async () => {
  const places = openPlaces({ ...bounds, all: 1, waitMsMax: LONG })
  const held = await places.take('ada')
  const caller = new AbortController()
  const left = places.take('bob', { gone: caller.signal })
  const next = places.take('cyd')
  caller.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  await expect(places.take('dan', { gone: caller.signal })).rejects.toThrow('hung up')
  held.leave()
  await next
})

test('the longest-held place is passed to waiting callers, but not before the minimum time', async () => {
  const slow = async (keptMs: number) => {
    const places = openPlaces({ ...bounds, waitMsMax: keptMs === 0 ? LONG : 0, keptMs })
    const ended: number[] = []
    const all: Place[] = await take(places, ['ada', 'ada', 'bob'])
    all.forEach((place, at) =>
      place.onWanted(() => {
        ended.push(at)
        place.leave()
      }),
    )
    return { places, ended }
  }
  const over = await slow(0)
  await over.places.take('cyd')
  expect(over.ended).toEqual([0])
  const within = await slow(LONG)
  await expect(within.places.take('cyd')).rejects.toThrow('Three in all.')
  expect(within.ended).toEqual([])
})

test('a place that grows old while another user waits is passed on then', async () => {
  const places = openPlaces({ ...bounds, all: 1, waitMsMax: LONG, keptMs: 500 })
  const held = await places.take('ada')
  held.onWanted(() => held.leave())
  await places.take('bob')
  expect(places.waiting()).toBe(0)
})

test('a stream that nobody reads gives way within seconds, one that is read keeps its place', async () => {
  vi.useFakeTimers()
  const places = openPlaces({ all: 2, perUser: 1, refusal })
  const unread = new Readable({ read: () => undefined, highWaterMark: 10 })
  const slow = new Readable({ read: () => undefined, highWaterMark: 10 })
  for (const stream of [unread, slow]) stream.on('error', () => undefined)
  await places.use('a', async () => unread)
  await places.use('b', async () => slow)
  unread.push('x'.repeat(20))
  const waiting = places.take('c')
  for (let second = 0; second < 5; second++) {
    slow.push('x'.repeat(20))
    slow.read()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(unread.destroyed).toBe(false)
  slow.push('x'.repeat(20))
  await vi.advanceTimersByTimeAsync(1000)
  await waiting
  expect([unread.destroyed, slow.destroyed]).toEqual([true, false])
  slow.destroy()
  vi.useRealTimers()
})

test('work keeps its place until it ends or fails, a stream until it closes', async () => {
  const places = openPlaces({ ...bounds, all: 1 })
  expect(await places.use('ada', async () => 'done')).toBe('done')
  const failing = places.use('ada', () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  const stream = await places.use('ada', async () => Readable.from(['a', 'b']))
  await expect(places.take('bob')).rejects.toThrow('Three in all.')
  stream.destroy()
  await once(stream, 'close')
  await places.take('bob')
})

test('a disconnected caller gives up the place if the work asks for it, even if the work goes on', async () => {
  const places = openPlaces({ perUser: 1 })
  const [atWork, waiting] = [new AbortController(), new AbortController()]
  const never = new Promise<never>(() => undefined)
  const first = places.use('ada', () => never, { gone: atWork.signal, endsWhenGone: true })
  const second = places.use('ada', () => never, { gone: waiting.signal })
  const third = places.use('ada', async () => 'read')
  expect(await places.use('bob', async () => 'read')).toBe('read')
  waiting.abort(new Error('second left'))
  await expect(second).rejects.toThrow('second left')
  atWork.abort(new Error('first left'))
  await expect(first).rejects.toThrow('first left')
  expect(await third).toBe('read')
})

/** Work that ends when `end` is called. */
function openWork(all: number, bound = {}) {
  const places = openPlaces({ all, perUser: 1, refusal, ...bound })
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const ask = (name: string, isLong = false) => {
    const work = async () => {
      started.push(name)
      await new Promise<void>((resolve) => finish.set(name, resolve))
      return name
    }
    return places.use(name.slice(0, 1), work, { isLong })
  }
  async function end(name: string) {
    await turn()
    finish.get(name)?.()
    await turn()
  }
  return { ask, end, started, turn }
}

test('serves a second user before the rest of the first user’s list', async () => {
  const { ask, end, started } = openWork(1)
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
  for (const name of ['a1', 'b1', 'a2']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('gives one user one place at a time, however many are free', async () => {
  const { ask, end, started, turn } = openWork(3)
  for (const name of ['a1', 'a2', 'b1']) void ask(name)
  await turn()
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

test('keeps one place for short work, which overtakes the same user’s long work', async () => {
  const { ask, end, started, turn } = openWork(2, { long: 1 })
  void ask('a1', true)
  void ask('b1', true)
  void ask('b2')
  await turn()
  expect(started).toEqual(['a1', 'b2'])
  await end('b2')
  expect(started).toEqual(['a1', 'b2'])
  await end('a1')
  expect(started).toEqual(['a1', 'b2', 'b1'])
})

test('refuses a user with too much waiting work, and no other user', async () => {
  const { ask, end } = openWork(1, { waitingMax: 2 })
  const first = ask('a1')
  void ask('a2')
  void ask('a3')
  await expect(ask('a4')).rejects.toMatchObject({ code: 'too_many_requests' })
  void ask('b1')
  await end('a1')
  await expect(first).resolves.toBe('a1')
})
