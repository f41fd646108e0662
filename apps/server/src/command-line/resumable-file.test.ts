import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openResumableFile } from './resumable-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pkdex-resumable-'))
})
afterEach(() => rm(folder, { recursive: true }))

const place = () => join(folder, 'out.csv')
const chunks = ['heading\n', 'one\n', 'two\n', 'three\n']

/** Writes the chunks from one on; breaks before the chunk `until`. */
async function writeFrom(first: number, until: number, key = 'key') {
  const file = await openResumableFile(place(), key)
  let compounds = file.done.compounds
  async function* given() {
    for (const [at, chunk] of chunks.entries()) {
      if (at < first) continue
      if (at === until) throw new Error('broken')
      compounds = at
      yield chunk
    }
  }
  const written = file.write(given(), () => ({ compounds, missing: compounds }))
  return { file, done: { ...file.done }, written }
}

test('the same command continues after what it has written, and drops half a row', async () => {
  await writeFile(place(), 'old')
  const { written } = await writeFrom(0, 3)
  await expect(written).rejects.toThrow('broken')
  expect(await readFile(place(), 'utf8')).toBe('old')
  await appendFile(`${place()}.pkdex-partial`, 'thr')
  const again = await writeFrom(3, Infinity)
  expect(again.done).toEqual({ compounds: 2, missing: 2 })
  await again.written
  expect(await readFile(place(), 'utf8')).toBe(chunks.join(''))
  expect(await readdir(folder)).toEqual(['out.csv'])
})

test('another command or input begins anew', async () => {
  await expect((await writeFrom(0, 3)).written).rejects.toThrow('broken')
  const other = await writeFrom(0, Infinity, 'other')
  expect(other.file.isAnew).toBe(true)
  expect(other.done).toEqual({ compounds: 0, missing: 0 })
  await other.written
  expect(await readFile(place(), 'utf8')).toBe(chunks.join(''))
})

test('a note that counts more than is there, or cannot be read, counts nothing', async () => {
  await expect((await writeFrom(0, 3)).written).rejects.toThrow('broken')
  await writeFile(`${place()}.pkdex-partial`, 'head')
  const again = await writeFrom(0, 3)
  expect(again.done.compounds).toBe(0)
  await expect(again.written).rejects.toThrow('broken')
  await writeFile(`${place()}.pkdex-partial.json`, '{"key":')
  const unread = await openResumableFile(place(), 'key')
  expect(unread.done.compounds).toBe(0)
  unread.interrupt()
})

test('a failure before the first compound leaves nothing', async () => {
  await expect((await writeFrom(0, 1)).written).rejects.toThrow('broken')
  expect(await readdir(folder)).toEqual([])
})

test('a file that is being written is refused, until its writer has ended', async () => {
  const writer = await openResumableFile(place(), 'key')
  await expect(openResumableFile(place(), 'key')).rejects.toThrow('Another process is writing')
  expect(writer.interrupt()).toBe(false)
  await (
    await writeFrom(0, Infinity)
  ).written
  expect(await readdir(folder)).toEqual(['out.csv'])
})

test('an interruption after the end changes nothing', async () => {
  const { file, written } = await writeFrom(0, Infinity)
  await written
  expect(file.interrupt()).toBe(false)
  expect(await readdir(folder)).toEqual(['out.csv'])
})

test('the note of another command is gone before a byte of this one is written', async () => {
  await expect((await writeFrom(0, 3)).written).rejects.toThrow('broken')
  const other = await openResumableFile(place(), 'other')
  expect(await readdir(folder)).not.toContain('out.csv.pkdex-partial.json')
  expect(other.interrupt()).toBe(false)
  expect(await readdir(folder)).toEqual([])
})

test('a folder that does not exist, or a lock that cannot be taken, is refused with a sentence', async () => {
  await expect(openResumableFile(join(folder, 'no', 'out.csv'), 'key')).rejects.toThrow('ENOENT')
  await mkdir(`${place()}.pkdex-partial.lock`)
  await expect(openResumableFile(place(), 'key')).rejects.toThrow('cannot be written')
})
