import { expect, test } from 'vitest'
import { formatDay, formatForFilename, formatMinute } from './format-time.ts'

const moment = new Date(2026, 10, 3, 4, 5, 6)

test('days and minutes are written year first', () => {
  expect(formatDay(moment.toISOString())).toBe('2026-11-03')
  expect(formatMinute(moment.toISOString())).toBe('2026-11-03 04:05')
})

test('SPEC 7.24: a moment in a file name has no colon', () => {
  expect(formatForFilename(moment)).toBe('2026-11-03T04-05-06')
})
