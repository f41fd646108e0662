import { type Endpoint, listUsers, requestPrediction, setUserCredits } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#test/open-test-app.ts'
import { openRoute, type Feature } from './route.ts'

/** Public endpoints of the contract; invalid requests are refused before anything is done. */
const openCalls: Feature = (app) => {
  for (const one of [listUsers, requestPrediction, setUserCredits] satisfies Endpoint[]) {
    openRoute(app, { ...(one as Endpoint), auth: 'none' }, async () => [])
  }
}

const t = await openTestApp({ features: () => [openCalls] })
afterAll(() => t.close())

test.each([
  ['a page beyond all numbers', 'page=99999999999999999999', 'page: is too large.'],
  ['page 0', 'page=0', 'page: must be at least 1.'],
  ['a page in words', 'page=one', 'page: missing or invalid.'],
  ['a page too long', 'page_size=201', 'page_size: must be at most 200.'],
  ['an unknown order', 'sort=age', 'sort: must be one of name, email, credits, last_seen.'],
  ['too long a search', `search=${'x'.repeat(321)}`, 'search: must have at most 320 characters.'],
  ['a search for a line break', 'search=%0A', 'search: must not contain control characters.'],
])('SPEC 16.8: a list with %s is refused with a readable reason', async (_what, query, said) => {
  const answer = await t.app.inject({ method: 'GET', url: `/admin/users?${query}` })
  expect([answer.statusCode, answer.json().message]).toEqual([400, said])
})

test.each([
  ['1e3', 'must be a number such as 12 or 12.5'],
  ['0.0001', 'must be a multiple of 0.001'],
  ['9999999999', 'must be at most 1000000000'],
])('SPEC 16.8: a balance of %s is refused with a readable reason', async (credits, reason) => {
  const answer = await t.app.inject({
    method: 'PUT',
    url: `/admin/users/1/credits?credits=${credits}`,
  })
  const said = `credits: ${reason}.`
  expect([answer.statusCode, answer.json().message]).toEqual([400, said])
})

test('SPEC 16.8: an empty name is reported as empty', async () => {
  const payload = { protein_id: '', compound_id: 'x' }
  const answer = await t.app.inject({ method: 'POST', url: '/dta/predict', payload })
  const said = 'protein_id: must not be empty.'
  expect([answer.statusCode, answer.json().message]).toEqual([400, said])
})

test('SPEC 16.8: a refusal names five unknown fields and the number of the others', async () => {
  const fields = Array.from({ length: 15 }, (_, at) => [`field${at}`, 0])
  const answer = await t.app.inject({
    method: 'POST',
    url: requestPrediction.path,
    payload: Object.fromEntries([
      ['protein_id', 'T'],
      ['compound_id', 'C'],
      [`long${'x'.repeat(900)}`, 0],
      ...fields,
    ]),
  })
  expect(answer.statusCode).toBe(400)
  expect(answer.body.length).toBeLessThan(500)
  expect(answer.json().message).toMatch(/field3 and 11 more\.$/)
})
