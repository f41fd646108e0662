import { expect, test } from 'vitest'
import { openUserLimiter } from './receiving-limits.ts'

test('a user has a limited number of requests in progress; the others follow in order, and none is lost', async () => {
  const inSlot = openUserLimiter(3)
  let now = 0
  let most = 0
  const ended: number[] = []
  const uploads = Array.from({ length: 20 }, (_, number) =>
    inSlot('a', async () => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      ended.push(number)
    }),
  )
  await Promise.all(uploads)
  expect(most).toBe(3)
  expect(ended.toSorted((a, b) => a - b)).toEqual([...uploads.keys()])
})

test('a failed request passes its slot on, and users do not wait for each other', async () => {
  const inSlot = openUserLimiter(1)
  const stuck = Promise.withResolvers<never>()
  const first = inSlot('a', () => stuck.promise)
  const second = inSlot('a', () => Promise.resolve('read'))
  expect(await inSlot('b', () => Promise.resolve('read'))).toBe('read')
  stuck.reject(new Error('cut off'))
  await expect(first).rejects.toThrow('cut off')
  expect(await second).toBe('read')
})

test('a disconnected caller leaves the queue and frees the slot, whatever became of the work', async () => {
  const inSlot = openUserLimiter(1)
  const [atWork, waiting] = [new AbortController(), new AbortController()]
  const never = new Promise<never>(() => undefined)
  const first = inSlot('a', () => never, atWork.signal)
  const second = inSlot('a', () => Promise.resolve('not begun'), waiting.signal)
  const third = inSlot('a', () => Promise.resolve('read'))
  waiting.abort(new Error('second left'))
  await expect(second).rejects.toThrow('second left')
  atWork.abort(new Error('first left'))
  await expect(first).rejects.toThrow('first left')
  expect(await third).toBe('read')
  await expect(inSlot('a', () => never, waiting.signal)).rejects.toThrow('second left')
  expect(await inSlot('a', () => Promise.resolve('read'))).toBe('read')
})

test('work for a caller who already disconnected is not started', async () => {
  const inSlot = openUserLimiter(1)
  let begun = false
  const work = async () => {
    begun = true
  }
  await expect(inSlot('a', work, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(begun).toBe(false)
})
