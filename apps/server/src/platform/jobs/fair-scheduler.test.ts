import { expect, test } from 'vitest'
import { openFairScheduler } from './fair-scheduler.ts'

function scheduler(slots: number, waitingMax = 100) {
  const turns = openFairScheduler({ slots, waitingMax })
  const started: string[] = []
  const finish = new Map<string, () => void>()
  function ask(name: string, { isLong = false } = {}) {
    const userId = name.slice(0, 1)
    return turns.run({ userId, isLong }, async () => {
      started.push(name)
      await new Promise<void>((resolve) => finish.set(name, resolve))
      return name
    })
  }
  async function end(name: string) {
    finish.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ask, end, started }
}

test('serves a second user before the rest of the first user’s list', async () => {
  const { ask, end, started } = scheduler(1)
  for (const name of ['a1', 'a2', 'a3', 'b1']) void ask(name)
  await end('a1')
  await end('b1')
  await end('a2')
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('gives one user one slot at a time, however many are free', async () => {
  const { ask, end, started } = scheduler(3)
  for (const name of ['a1', 'a2', 'b1']) void ask(name)
  expect(started).toEqual(['a1', 'b1'])
  await end('a1')
  expect(started).toEqual(['a1', 'b1', 'a2'])
})

test('reserves one slot for short work', async () => {
  const { ask, end, started } = scheduler(2)
  void ask('a1', { isLong: true })
  void ask('b1', { isLong: true })
  void ask('c1')
  expect(started).toEqual(['a1', 'c1'])
  await end('a1')
  expect(started).toEqual(['a1', 'c1', 'b1'])
})

test('short work of a user overtakes the same user’s long work while the long slots are in use', () => {
  const { ask, started } = scheduler(2)
  void ask('a1', { isLong: true })
  void ask('b1', { isLong: true })
  void ask('b2')
  expect(started).toEqual(['a1', 'b2'])
})

test('runs long work if there is only one slot', () => {
  const { ask, started } = scheduler(1)
  void ask('a1', { isLong: true })
  expect(started).toEqual(['a1'])
})

test('refuses a user with too much waiting work, and no other user', async () => {
  const { ask, end } = scheduler(1, 2)
  const first = ask('a1')
  void ask('a2')
  void ask('a3')
  expect(ask('a4')).toBeNull()
  expect(ask('b1')).not.toBeNull()
  await end('a1')
  await expect(first).resolves.toBe('a1')
})

test('a failure is reported to its caller and frees the slot', async () => {
  const turns = openFairScheduler({ slots: 1, waitingMax: 10 })
  const failed = turns.run({ userId: 'a', isLong: false }, () => Promise.reject(new Error('no')))
  const after = turns.run({ userId: 'a', isLong: false }, () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  await expect(after).resolves.toBe('yes')
})
