import { readFileSync } from 'node:fs'
import * as contract from '@pkdex/contract'
import { expect, test } from 'vitest'

const source = readFileSync(
  new URL('../../../../clients/python/src/pkdex/client.py', import.meta.url),
  'utf8',
)

test('SPEC 28.7: every path in the Python client is an endpoint of the API', () => {
  const known = new Set(
    Object.values(contract).flatMap((one) =>
      typeof one === 'object' && 'path' in one ? [one.path.replaceAll(/:\w+/g, '*')] : [],
    ),
  )
  const used = [...source.matchAll(/f?"(\/[^"]+)"/g)].map(([, path = '']) =>
    path.replaceAll(/\{[^}]+\}/g, '*'),
  )
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((path) => !known.has(path))).toEqual([])
})
