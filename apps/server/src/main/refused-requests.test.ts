/** Malformed requests are refused with a message, before anything is done or charged. */
import { afterAll, expect, test } from 'vitest'
import { openTestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const t = await openTestProduct()
const user = await openTestSession(t.db)
afterAll(() => t.close())

async function refusal(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const { headers } = user
  const answer = await t.app.inject({ method, url, headers, ...(payload && { payload }) })
  return [answer.statusCode, answer.json().message]
}

test.each([
  ['/dta/known?protein_id=a%00b', 'protein_id'],
  ['/evidence/similar?target=a%00b&compound=c', 'target'],
  ['/evidence/atoms?target=a%00b&compound=c', 'target'],
  ['/evidence/receipt?target=a&compound=b%00c', 'compound'],
  ['/history?search=%00', 'search'],
])('a NUL character in %s is refused, naming the field', async (url, field) => {
  expect(await refusal('GET', url)).toEqual([400, `The field ${field} contains a NUL character.`])
})

test.each([
  ['POST', '/predict', { target: '1hpv', smiles: ['C'], chian: 'B' }, 'chian'],
  ['POST', '/dta/predict', { protein_id: 'a', compound_id: 'b', chain: 'B' }, 'chain'],
  ['POST', '/screens', { targets: ['a'], compounds: 'all', filter: 1 }, 'filter'],
  [
    'POST',
    '/screens',
    { targets: [{ name: 'a', chian: 'B' }], compounds: 'all' },
    'targets.0.chian',
  ],
  ['POST', '/account/keys', { name: 'a', calls_a_day: 5 }, 'calls_a_day'],
  ['GET', '/history?pagesize=1', undefined, 'pagesize'],
] as const)(
  '%s %s with an unknown field is refused, naming the field',
  async (method, url, body, field) => {
    expect(await refusal(method, url, body)).toEqual([400, `Unknown field: ${field}.`])
  },
)

test.each([
  [{ smiles: ['C'] }, 'Send either `target` or `structure`.'],
  [{ smiles: ['C'], target: 'a', structure: 'ATOM' }, 'Send either `target` or `structure`.'],
  [
    { smiles: Array.from({ length: 5001 }, () => 'C'), target: 'a' },
    'smiles: must have at most 5000 entries.',
  ],
  [{ smiles: [], target: 'a' }, 'smiles: must not be empty.'],
  [
    { smiles: ['C C'], target: 'a' },
    'smiles.0: must be SMILES: printable characters without spaces.',
  ],
])('POST /predict says what is wrong with %#', async (body, said) => {
  expect(await refusal('POST', '/predict', body)).toEqual([400, said])
})
