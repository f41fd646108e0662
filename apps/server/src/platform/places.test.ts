import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { inPlace, openPlaces, type Place } from './places.ts'

const LONG = 600_000
const sentences = { ownTaken: 'Two of yours.', allTaken: 'Three in all.' }
const bounds = { all: 3, perReader: 2, waitMsMax: 0, ...sentences }

const take = (places: ReturnType<typeof openPlaces>, readers: string[]) =>
  Promise.all(readers.map((reader) => places.take(reader)))

test('a reader beyond their share gets 429, one who finds all places in use 503, both with Retry-After', async () => {
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

test('waiting callers get free places in order of arrival, within their share', async () => {
  const places = openPlaces({ ...bounds, waitMsMax: LONG })
  const [one, two, three] = await take(places, ['ada', 'ada', 'bob'])
  const order: string[] = []
  const ask = (reader: string) =>
    places.take(reader).then((place) => {
      order.push(reader)
      return place
    })
  const [ada, cyd, dan] = [ask('ada'), ask('cyd'), ask('dan')]
  three?.leave()
  const place = await cyd
  // A place is released once.
  three?.leave()
  one?.leave()
  await ada
  expect(order).toEqual(['cyd', 'ada'])
  two?.leave()
  await dan
  place.leave()
})

test('a caller who disconnects leaves the queue and gets no place', async () => {
  const places = openPlaces({ ...bounds, all: 1, waitMsMax: LONG })
  const held = await places.take('ada')
  const caller = new AbortController()
  const left = places.take('bob', caller.signal)
  const next = places.take('cyd')
  caller.abort(new Error('hung up'))
  await expect(left).rejects.toThrow('hung up')
  await expect(places.take('dan', caller.signal)).rejects.toThrow('hung up')
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

test('work keeps its place until it ends or fails, a stream until it closes', async () => {
  const places = openPlaces({ ...bounds, all: 1 })
  expect(await inPlace(await places.take('ada'), async () => 'done')).toBe('done')
  const failing = inPlace(await places.take('ada'), () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  const stream = await inPlace(await places.take('ada'), async () => Readable.from(['a', 'b']))
  await expect(places.take('bob')).rejects.toThrow('Three in all.')
  stream.destroy()
  await once(stream, 'close')
  await places.take('bob')
})
