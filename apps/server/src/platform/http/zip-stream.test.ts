/** An error in one entry of a zip download ends only that download, never the process. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { zipStream } from './zip-stream.ts'

const mtime = new Date('2026-11-23T12:00:00Z')
const close = async () => undefined
const entryOf = (name: string, text: string) => ({ name, open: () => Readable.from([text]) })

async function* failsAfter(text: string): AsyncGenerator<string> {
  yield text
  throw new Error('the connection was lost')
}

function endless(): Readable {
  return Readable.from(
    (async function* () {
      for (;;) yield 'x'.repeat(65_536)
    })(),
  )
}

test('an entry that fails during reading ends the download with its error', async () => {
  const failing = { name: 'b.csv', open: () => Readable.from(failsAfter('one,two\r\n')) }
  const zip = zipStream([entryOf('a.csv', 'a'), failing, entryOf('c.csv', 'c')], mtime, close)
  await expect(buffer(zip)).rejects.toThrow('the connection was lost')
})

test('an entry that cannot be opened ends the download with its error', async () => {
  const open = async () => {
    throw new Error('no connection')
  }
  await expect(buffer(zipStream([{ name: 'a.csv', open }], mtime, close))).rejects.toThrow(
    'no connection',
  )
})

test('an entry that no longer exists is skipped', async () => {
  const gone = { name: 'gone.pdb', open: async () => null }
  const zip = await buffer(zipStream([gone, entryOf('kept.pdb', 'ATOM')], mtime, close))
  expect(zip.includes('kept.pdb')).toBe(true)
  expect(zip.includes('gone.pdb')).toBe(false)
})

test('a reader that stops closes the open entry and its source', async () => {
  const entry = endless()
  const closed = Promise.withResolvers<void>()
  const zip = zipStream([{ name: 'a', open: () => entry }], mtime, async () => closed.resolve())
  zip.once('readable', () => zip.destroy())
  await closed.promise
  expect(entry.destroyed).toBe(true)
})

test('an entry opened after the reader left is closed', async () => {
  const late = Promise.withResolvers<Readable>()
  const closed = Promise.withResolvers<void>()
  const zip = zipStream([{ name: 'a', open: () => late.promise }], mtime, async () =>
    closed.resolve(),
  )
  zip.destroy()
  await closed.promise
  const entry = endless()
  late.resolve(entry)
  await expect.poll(() => entry.destroyed, { timeout: 10_000 }).toBe(true)
})
