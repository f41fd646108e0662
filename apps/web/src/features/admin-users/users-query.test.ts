import { expect, test } from 'vitest'
import { readUserListParams, withChange } from './users-query.ts'

const read = (search: string) => readUserListParams(new URLSearchParams(search))

test('SPEC 9.5: without parameters the list is sorted by email, ascending', () => {
  expect(read('')).toEqual({
    page: 1,
    search: '',
    sort: 'email',
    order: 'asc',
    page_size: 10,
  })
})

test.each([
  'page_size=11',
  'status=dead',
  'page=0',
  'page=x',
  'page=1.5',
  'sort=password',
  'order=up',
  'search=%00',
])('invalid URL parameters (%s) are ignored', (search) => expect(read(search)).toEqual(read('')))

test('SPEC 5.12: a new search or sorting returns to page 1; paging keeps both', () => {
  const params = read('page=7&search=ada&sort=credits&order=desc')
  expect(withChange(params, { search: 'bo' })).toBe('?search=bo&sort=credits&order=desc')
  expect(withChange(params, { sort: 'name', order: 'asc' })).toBe('?search=ada&sort=name')
  expect(withChange(params, { page: 8 })).toBe('?page=8&search=ada&sort=credits&order=desc')
})
