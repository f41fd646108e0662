import { expect, test } from 'vitest'
import { formatBytes, formatDay, formatForFilename, formatMinute } from './format.ts'

test.each([
  [0, '0.00 Bytes'],
  [1023, '1023.00 Bytes'],
  [1024, '1.00 KB'],
  [357_449, '349.07 KB'],
  [25 * 1024 ** 2, '25.00 MB'],
  [1024 ** 3, '1.00 GB'],
  [1024 ** 4, '1.00 TB'],
  [1024 ** 5, '1024.00 TB'],
])('SPEC 9.3: %d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

const moment = new Date(2026, 10, 3, 4, 5, 6)

test('dates are written year first', () => {
  expect(formatDay(moment.toISOString())).toBe('2026-11-03')
  expect(formatMinute(moment.toISOString())).toBe('2026-11-03 04:05')
})

test('SPEC 7.24: a timestamp in a file name has no colon', () => {
  expect(formatForFilename(moment)).toBe('2026-11-03T04-05-06')
})
