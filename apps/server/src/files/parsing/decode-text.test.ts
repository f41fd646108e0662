import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodePackedText, decodeText } from './decode-text.ts'

function reasonOf(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  if (text.ok) throw new Error(`was read as text: ${text.value.slice(0, 40)}`)
  return text.reason
}

test('reads UTF-8 with and without a byte order mark', () => {
  expect(decodeText(Buffer.from('CCO µ-opioid'))).toEqual({ ok: true, value: 'CCO µ-opioid' })
  expect(decodeText(Buffer.from('\uFEFFCCO'))).toEqual({ ok: true, value: 'CCO' })
})

test('reads UTF-16 as Windows editors save it', () => {
  expect(decodeText(Buffer.from('\uFEFFCCO ethanol', 'utf16le'))).toEqual({
    ok: true,
    value: 'CCO ethanol',
  })
})

test('reads Windows-1252 if the bytes are not UTF-8', () => {
  const bytes = Buffer.from([0x43, 0x43, 0x4f, 0x20, 0xb5])
  expect(decodeText(bytes)).toEqual({ ok: true, value: 'CCO µ' })
})

describe('says what a non-text file is', () => {
  test.each([
    ['a zip archive', Buffer.from('504b030414000000', 'hex'), 'zip archive'],
    ['a gzip archive', gzipSync('CCO'), 'gzip archive'],
    ['a PDF', Buffer.from('%PDF-1.7\n'), 'PDF document'],
    ['a PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'picture'],
    ['bytes with a NUL', Buffer.from([67, 67, 0, 79]), 'binary data'],
    [
      'many control characters',
      Buffer.from(Array.from({ length: 400 }, (_, i) => (i % 8) + 1)),
      'binary data',
    ],
    ['nothing', Buffer.from(''), 'empty'],
  ])('%s', (_name, bytes, expected) => {
    expect(reasonOf(bytes)).toContain(expected)
  })
})

test('accepts a single stray control character, because the line’s reader names the line', () => {
  expect(decodeText(Buffer.from(`CCO\n${'C'.repeat(200)}\u0001\n`)).ok).toBe(true)
})

describe('a structure may be compressed with gzip', () => {
  test('it is decompressed', () => {
    expect(decodePackedText(gzipSync('HEADER'))).toEqual({ ok: true, value: 'HEADER' })
    expect(decodePackedText(Buffer.from('HEADER'))).toEqual({ ok: true, value: 'HEADER' })
  })

  test.each([
    ['cut off', gzipSync('HEADER'.repeat(1000)).subarray(0, 40), /damaged or cut off/],
    ['a bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1, 32)), /larger than 64 MB/],
    ['packed twice', gzipSync(gzipSync('HEADER')), /gzip archive/],
  ])('%s gets an error message', (_, bytes, sentence) => {
    const text = decodePackedText(bytes)
    expect(text.ok ? 'read' : text.reason).toMatch(sentence)
  })
})
