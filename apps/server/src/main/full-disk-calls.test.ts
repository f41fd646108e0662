/** On a full disk every request that may store something is refused, also one that is added later. */
import * as contract from '@pkdex/contract'
import type { Endpoint } from '@pkdex/contract'
import { expect, test } from 'vitest'
import { servedWithoutRoom } from './composition.ts'

test('only signing in and out, locking somebody out, and computing go on', () => {
  const values: unknown[] = Object.values(contract)
  const isWrite = (value: unknown): value is Endpoint =>
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    ['POST', 'PUT', 'PATCH'].includes(String(value.method))
  const refused = values.filter(isWrite).filter((one) => !servedWithoutRoom.includes(one))
  expect(refused.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'POST /file_manager/upload',
      'POST /dta/predict',
      'POST /screens',
      'POST /measurements',
      'PUT /series/lists',
      'PUT /alerts',
      'PUT /poses/own-ligand',
      'PATCH /file_manager/compounds/:name',
      'POST /admin/users/import',
    ]),
  )
  expect(servedWithoutRoom.length).toBeLessThan(25)
})
