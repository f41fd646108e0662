import { expect, test } from 'vitest'
import { windowOf } from './row-window.ts'

const HEIGHT = 700
const ROW = 72

test('a list renders visible rows and reserves space for the others', () => {
  const { first, last, before, after } = windowOf({ top: 7200, height: HEIGHT }, 1000, ROW)
  expect([first, last]).toEqual([96, 120])
  expect(before).toBe(96 * ROW)
  expect(before + (last - first) * ROW + after).toBe(1000 * ROW)
})

test('scrolling by one row changes the rendered rows once in three rows', () => {
  const windows = Array.from({ length: 30 }, (_, row) =>
    windowOf({ top: 7200 + row * ROW, height: HEIGHT }, 1000, ROW),
  )
  const different = new Set(windows.map(({ first, last }) => `${first} to ${last}`))
  expect(different.size).toBeLessThanOrEqual(11)
  for (const [row, { first, last }] of windows.entries()) {
    expect(first).toBeLessThanOrEqual(100 + row - 4)
    expect(last).toBeGreaterThanOrEqual(100 + row + HEIGHT / ROW + 4)
  }
})

test('SPEC 30.4: the last of 500,000 rows can be reached in a list no browser could render whole', () => {
  const count = 500_000
  const top = windowOf({ top: 0, height: HEIGHT }, count, ROW)
  const whole = top.before + (top.last - top.first) * ROW + top.after
  expect(whole).toBeLessThan(17_000_000)
  const end = windowOf({ top: whole - HEIGHT, height: HEIGHT }, count, ROW)
  expect(end.last).toBe(count)
  expect(end.after).toBe(0)
  // Each row is positioned where the view is.
  for (const share of [0, 0.3, 0.77, 1]) {
    const view = { top: share * (whole - HEIGHT), height: HEIGHT }
    const { first, last, before } = windowOf(view, count, ROW)
    expect(before).toBeLessThanOrEqual(view.top)
    expect(before + (last - first) * ROW).toBeGreaterThanOrEqual(view.top + HEIGHT - 1)
  }
})
