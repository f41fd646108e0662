import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openShare, threadDataOf } from './shared-arrays.ts'

const card = { files: { 'weights.bin.gz': 'a1' } }
const made = () => Uint32Array.of(1, 2, 2 ** 32 - 1)
const unexpected = () => {
  throw new Error('made twice')
}
let folders = 0
/** Two threads would open the same memory with the same lines. */
const openMemory = () => threadDataOf(`/model-${(folders += 1)}`).memory

test('the first thread makes the arrays, and the next one gets the same memory', () => {
  const memory = openMemory()
  const [first, next] = [openShare(memory, card), openShare(memory, card)]
  const halves = first(Float16Array, () => Float16Array.of(0.5, -2, 3))
  const numbers = first(Uint32Array, made)
  expect(numbers).toEqual(made())
  expect(next(Float16Array, unexpected)).toEqual(halves)
  const same = next(Uint32Array, unexpected)
  expect(same).toEqual(numbers)
  expect([same.buffer, same.byteOffset]).toEqual([numbers.buffer, numbers.byteOffset])
})

test('a thread that makes an array while another does keeps its own', () => {
  const memory = openMemory()
  const [slow, fast] = [openShare(memory, card), openShare(memory, card)]
  const kept = slow(Uint32Array, () => {
    fast(Uint32Array, made)
    return made()
  })
  expect(kept).toEqual(made())
  expect(kept.buffer).not.toBe(memory)
})

test('the arrays of another model in the same folder stay private', () => {
  const memory = openMemory()
  openShare(memory, card)(Uint32Array, made)
  const other = openShare(memory, { files: { 'weights.bin.gz': 'b2' } })
  expect(other(Uint32Array, () => Uint32Array.of(7))).toEqual(Uint32Array.of(7))
})

test('arrays stay private while another thread is still saying which model they are of', () => {
  const memory = openMemory()
  openShare(memory, card)(Uint32Array, made)
  const COPYING = 1
  new Int32Array(memory)[1] = COPYING
  const other = openShare(memory, { files: { 'weights.bin.gz': 'b2' } })
  expect(other(Uint32Array, () => Uint32Array.of(7))).toEqual(Uint32Array.of(7))
})

test('another thread reads what the first one made', async () => {
  const memory = openMemory()
  openShare(memory, card)(Uint32Array, made)
  const thread = new Worker(new URL('fixtures/share-in-thread.ts', import.meta.url), {
    workerData: { memory, card },
  })
  const [read] = await once(thread, 'message')
  expect(read).toEqual(made())
})

test('more or larger arrays than there is room for stay private', () => {
  const memory = openMemory()
  const share = openShare(memory, card)
  const large = share(Uint8Array, () => new Uint8Array(2 ** 28))
  expect(large.buffer).not.toBe(memory)
  for (let count = 0; count < 200; count += 1) expect(share(Uint32Array, made)).toEqual(made())
})

test('pools of threads on one folder get one memory', () => {
  expect(threadDataOf('/one').memory).toBe(threadDataOf('/one').memory)
  expect(threadDataOf('/one').memory).not.toBe(threadDataOf('/other').memory)
})
