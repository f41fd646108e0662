/** Attack: JSON bodies that are small as text and huge in memory. */
import * as contract from '@pkdex/contract'
import { endpoint, type Endpoint, predictPairs } from '@pkdex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestApp, type TestApp } from '#test/open-test-app.ts'
import { partsMaxOf } from './json-bodies.ts'
import { openRoute } from './route.ts'

const { body, bodyBytesMax = 0 } = predictPairs
const predict = endpoint({
  method: 'POST',
  path: '/open-predict',
  auth: 'none',
  summary: 'Reads what POST /predict reads.',
  body,
  bodyBytesMax,
  errors: ['file_too_large'],
  answer: z.object({ count: z.number() }),
})

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({
    features: () => [
      (app) => openRoute(app, predict, async ({ body: { smiles } }) => ({ count: smiles.length })),
    ],
  })
})
afterAll(() => t.close())

const post = async (payload: string) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await t.app.inject({ method: 'POST', url: '/open-predict', headers, payload })
  return { status: answer.statusCode, ...answer.json() }
}

test.each(['{"33":0}', '0', '""'])(
  'a body of the full size, made of %s, is refused while it is received',
  async (item) => {
    const count = Math.floor((bodyBytesMax - 100) / (item.length + 1))
    const items = `${item},`.repeat(count)
    const { status, message } = await post(`{"target":"t","smiles":[${items}0]}`)
    expect([status, message]).toEqual([413, expect.stringContaining('too many values')])
  },
)

test('marks inside texts do not count: 5,000 SMILES full of brackets, and a structure full of commas', async () => {
  const smiles = Array.from({ length: 5000 }, () => String.raw`C[C@@H](N)C(=O)[O-]`)
  const structure = 'a,b{c[d"e\\f,'.repeat(100_000)
  expect(await post(JSON.stringify({ smiles, structure }))).toEqual({ status: 200, count: 5000 })
})

test('a list that is somewhat too long is refused by name', async () => {
  const smiles = Array.from({ length: 5001 }, () => 'C')
  const { status, message } = await post(JSON.stringify({ smiles, target: 't' }))
  expect([status, message]).toEqual([400, expect.stringContaining('5000')])
})

test('no endpoint accepts more values than 64 MB can hold', () => {
  const values: unknown[] = Object.values(contract)
  const endpoints = values.filter(isEndpoint)
  expect(endpoints.length).toBeGreaterThan(100)
  const BYTES_PER_VALUE = 350
  const large = endpoints.filter(
    (endpoint) => partsMaxOf(endpoint.body) * BYTES_PER_VALUE > 64 * 2 ** 20,
  )
  expect(large.map(({ path }) => path)).toEqual([])
})

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'body' in value
}
