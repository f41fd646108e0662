/** The disk used by power-cut tests behaves as they assume. */
import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openOwnDisk } from './own-disk.ts'

const disk = openOwnDisk()
afterAll(() => disk?.close())

test.skipIf(disk === null)(
  'after a power cut synced data exists, and unsynced data does not',
  () => {
    const path = (name: string) => join(disk?.folder ?? '', name)
    const file = openSync(path('log'), 'w')
    writeSync(file, 'synced')
    fsyncSync(file)
    writeSync(file, ', not synced')
    writeFileSync(path('other'), 'not synced')
    expect(readFileSync(path('log'), 'utf8')).toBe('synced, not synced')
    disk?.cutPower()
    expect(() => fsyncSync(file)).toThrow(/EIO|EROFS/)
    closeSync(file)
    disk?.mountAgain()
    expect(readFileSync(path('log'), 'utf8')).toBe('synced')
    expect(() => readFileSync(path('other'))).toThrow(/ENOENT/)
  },
)

test.skipIf(disk === null)('a disk that turned read-only refuses writes and can be read', () => {
  const path = join(disk?.folder ?? '', 'kept')
  const file = openSync(path, 'w')
  writeSync(file, 'kept')
  fsyncSync(file)
  disk?.turnReadOnly()
  expect(() => writeSync(file, 'more')).toThrow(/EROFS/)
  expect(() => writeFileSync(`${path}-too`, '')).toThrow(/EROFS/)
  expect(readFileSync(path, 'utf8')).toBe('kept')
  closeSync(file)
  disk?.mountAgain()
  expect(readFileSync(path, 'utf8')).toBe('kept')
})
