import { expect, test } from 'vitest'
import { visiblePages } from './pager.tsx'

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 129, [1, 2, 3, 129]],
  [2, 129, [1, 2, 3, 129]],
  [64, 129, [1, 63, 64, 65, 129]],
  [129, 129, [1, 127, 128, 129]],
])('on page %d of %d the links are %j', (page, last, shown) => {
  expect(visiblePages(page, last)).toEqual(shown)
})
