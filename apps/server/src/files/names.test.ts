import { smilesLimits } from '@pkdex/biochem'
import { NAME_CHARACTERS_MAX } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { assignNames, readFilename, readName } from './names.ts'

test.each([
  ['.'],
  ['..'],
  [''],
  ['   '],
  ['a\u0000b'],
  ['a\nb'],
  ['a\u2028b'],
  ['\uD800'],
  ['\u200B'],
  ['\u3164'],
  ['a\u202Etxt.exe'],
])('SPEC 14.1: %j cannot be a name', (text) => {
  expect(readName(text).ok).toBe(false)
})

test('SPEC 14.2: a name is stored in NFC, however the file system wrote it', () => {
  expect(readName('Ko\u0308ln')).toEqual({ ok: true, name: 'Köln' })
})

test('SPEC 14.2: a name has at most 200 characters, an emoji counting as one', () => {
  expect(readName('🧬'.repeat(NAME_CHARACTERS_MAX)).ok).toBe(true)
  expect(readName('x'.repeat(NAME_CHARACTERS_MAX + 1)).ok).toBe(false)
})

test('the reader of compound files and the server agree on the maximum name length', () => {
  expect(smilesLimits.nameCharacters).toBe(NAME_CHARACTERS_MAX)
})

test('a folder sent with the name is removed', () => {
  expect(readFilename('C:\\data\\1abc.pdb')).toBe('1abc.pdb')
  expect(readFilename('../../etc/1abc.pdb')).toBe('1abc.pdb')
})

test('SPEC 14.4: the same content keeps its name, other content gets the first free number', () => {
  const taken = new Map([
    ['x', '1'],
    ['x (2)', '2'],
  ])
  const requests = ['1', '2', '3', '3', '4'].map((identity) => ({ wanted: 'x', identity }))
  expect(assignNames(requests, taken)).toEqual([
    { name: 'x', isNew: false },
    { name: 'x (2)', isNew: false },
    { name: 'x (3)', isNew: true },
    { name: 'x (3)', isNew: false },
    { name: 'x (4)', isNew: true },
  ])
})

test('a numbered name stays within the maximum length', () => {
  const wanted = 'x'.repeat(NAME_CHARACTERS_MAX)
  const requests = ['1', '2'].map((identity) => ({ wanted, identity }))
  const [, second] = assignNames(requests, new Map())
  expect(second?.name).toMatch(/x \(2\)$/)
  expect(second?.name).toHaveLength(NAME_CHARACTERS_MAX)
})

/** CPU time, because other programs may be using the machine. */
const CPU_MS_MAX = 1000

test('five thousand items with one name are named in under a second', () => {
  const requests = Array.from({ length: 5000 }, (_, index) => ({
    wanted: 'x',
    identity: `${index}`,
  }))
  const before = process.threadCpuUsage()
  const names = new Set(assignNames(requests, new Map()).map(({ name }) => name))
  expect(names.size).toBe(5000)
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(CPU_MS_MAX)
})
