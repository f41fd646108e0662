import { type Endpoint, listUsers, requestPrediction, setUserCredits } from '@pkdex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { openRoute, type Feature } from './route.ts'

/** Calls of the contract, open to anybody: what is refused here is refused before anything is done. */
const openCalls: Feature = (app) => {
  for (const one of [listUsers, requestPrediction, setUserCredits] satisfies Endpoint[]) {
    openRoute(app, { ...(one as Endpoint), auth: 'none' }, async () => [])
  }
}

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ features: () => [openCalls] })
})
afterAll(() => t.close())

test.each([
  [
    'a page beyond all numbers',
    'page=99999999999999999999',
    'The field page is not as expected: it is too large.',
  ],
  ['page 0', 'page=0', 'The field page is not as expected: it must be at least 1.'],
  ['a page in words', 'page=one', 'The field page is missing or not as expected.'],
  [
    'a page too long',
    'page_size=201',
    'The field page_size is not as expected: it must be at most 200.',
  ],
  [
    'an unknown order',
    'sort=age',
    'The field sort is not as expected: it must be one of name, email, credits.',
  ],
  [
    'too long a search',
    `search=${'x'.repeat(321)}`,
    'The field search is not as expected: it is longer than 320 characters.',
  ],
  [
    'a search for a line break',
    'search=%0A',
    'The field search is not as expected: it holds a character that cannot be searched for.',
  ],
])(
  'SPEC 16.8: a list that is asked for with %s says in our words why not',
  async (_what, query, said) => {
    const answer = await t.app.inject({ method: 'GET', url: `/admin/users?${query}` })
    expect([answer.statusCode, answer.json().message]).toEqual([400, said])
  },
)

test.each([
  ['1e3', 'it must be a number in digits, such as 12 or 12.5'],
  ['0.0001', 'it must be a multiple of 0.001'],
  ['9999999999', 'it must be at most 1000000000'],
])('SPEC 16.8: a balance of %s is refused in our words', async (credits, reason) => {
  const answer = await t.app.inject({
    method: 'PUT',
    url: `/admin/users/1/credits?credits=${credits}`,
  })
  const said = `The field credits is not as expected: ${reason}.`
  expect([answer.statusCode, answer.json().message]).toEqual([400, said])
})

test('SPEC 16.8: an empty name is said to be empty', async () => {
  const payload = { protein_id: '', compound_id: 'x' }
  const answer = await t.app.inject({ method: 'POST', url: '/dta/predict', payload })
  const said = 'The field protein_id is not as expected: it is empty.'
  expect([answer.statusCode, answer.json().message]).toEqual([400, said])
})
