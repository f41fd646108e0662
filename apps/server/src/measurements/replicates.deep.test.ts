/** Several values of one compound on one target: all are kept, and they count together. */
import { afterAll, expect, test } from 'vitest'
import { resultOf } from '#test/open-test-grid.ts'
import { combineReplicates } from './combine.ts'
import {
  openTestMeasurements,
  openTestOwner,
  type TestOwner,
} from '#test/open-test-measurements.ts'
import type { Predicted } from './store.ts'

const t = await openTestMeasurements()
t.answer = () => resultOf(6)
afterAll(() => t.close())

const compare = async (user: TestOwner) =>
  (await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)).json()

const count = async (user: TestOwner) =>
  (await user.send('GET', '/measurements')).json().targets[0]?.count

const ofPair = ({ userId, pair }: TestOwner, smiles: string) => ({
  userId,
  targetId: pair.targetId,
  chain: 'A',
  smiles,
})

test('SPEC 21.11: replicates are all stored and count as their geometric mean, with number and spread', async () => {
  const user = await openTestOwner(t)
  expect(await user.importText('CCO,10 nM\nOCC,100 nM\nCCCO,1 nM')).toMatchObject({ added: 3 })
  expect(await user.importText('CCO,1000 nM')).toMatchObject({ added: 1, replaced: 0 })
  expect(await count(user)).toBe(4)
  await user.untilPredicted()
  const { compared } = await compare(user)
  expect(compared).toHaveLength(2)
  expect(compared[0]).toMatchObject({ smiles: 'CCCO', count: 1, spread: null })
  expect(compared[1]).toMatchObject({
    smiles: 'CCO',
    pk: expect.closeTo(7, 9),
    bound: null,
    count: 3,
    spread: expect.closeTo(1, 9),
  })
  const result = await t.complete(ofPair(user, 'CCO'), resultOf(6))
  expect(result.exact_measurements?.[0]).toMatchObject({ source: 'own', count: 3 })
  expect(result.exact_measurements?.[0]?.pk).toBeCloseTo(7)
  expect(result.best_estimate?.own_values).toBe(2)
})

test('SPEC 31.6: values are listed one per compound, with all its names, before they are predicted', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,10 nM\nOCC,1000 nM\nCCCO,> 10 µM\nCCCO,> 30 µM')
  const { target } = user.pair
  const combined = await user.send('GET', `/measurements/combined?target=${target}`)
  const { compounds } = combined.json()
  expect(compounds).toHaveLength(2)
  // The values of one import are listed in no particular order.
  const expected = [
    {
      smiles: 'CCO',
      names: expect.arrayContaining(['CCO', 'OCC']),
      pk: expect.closeTo(7, 9),
      bound: null,
      count: 2,
      spread: expect.closeTo(Math.SQRT2, 9),
    },
    {
      smiles: 'CCCO',
      names: ['CCCO'],
      pk: expect.closeTo(4.5229, 4),
      bound: 'upper',
      count: 2,
      spread: null,
    },
  ]
  expect(compounds).toEqual(expect.arrayContaining(expected))
})

test('an import sent twice stores its values once; equal replicates in it are kept', async () => {
  const user = await openTestOwner(t)
  const text = 'CCO,10 nM\nCCO,10 nM\nCCCO,1 nM'
  expect(await user.importText(text)).toMatchObject({ added: 3, repeated: 0 })
  expect(await user.importText(text)).toMatchObject({ added: 0, repeated: 3 })
  expect(await user.importText('CCO,10 nM\nCCO,20 nM')).toMatchObject({ added: 1, repeated: 1 })
  expect(await count(user)).toBe(4)
})

test('a replacing import keeps the values of other compounds and targets', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,10 nM\nCCO,12 nM\nCCCO,1 nM')
  const replaced = await user.importText('CCO,7 nM', { replace: true })
  expect(replaced).toMatchObject({ added: 1, replaced: 2, repeated: 0 })
  const { measurements } = (await user.send('GET', '/measurements')).json()
  expect(measurements.map(({ value }: { value: string }) => value).toSorted()).toEqual([
    'Kd 1 nM',
    'Kd 7 nM',
  ])
})

test('SPEC 21.12: a bound counts as the value expected below or above it; one that is satisfied anyway does not count', async () => {
  const user = await openTestOwner(t)
  await user.send('PUT', '/measurements/use', { target: user.pair.target, use: true })
  const own = async () => (await t.complete(ofPair(user, 'CCO'), resultOf(6))).best_estimate
  await user.importText(
    ['CCCO', 'CCCCO', 'CCCCCO'].map((one, at) => `${one},${7.5 + at / 2},pKd`).join('\n'),
  )
  await user.untilPredicted()
  const before = await own()
  expect(before?.predicted_kd).toBeGreaterThan(6.9)
  await user.importText('CCO,<11,pKd')
  await user.untilPredicted()
  expect(await own()).toEqual(before)
  // The plain prediction of 6 satisfies this bound; the prediction adjusted by the other values does not.
  await user.importText('CCO,<6.5,pKd')
  await user.untilPredicted()
  const after = await own()
  expect(after?.own_values).toBe(4)
  expect(after?.predicted_kd).toBeLessThan(6.8)
})

function row(pk: number, more: Partial<Predicted> = {}): Predicted {
  const fingerprint = Buffer.alloc(0)
  const of = { id: 'x', compound: 'x', smiles: 'C', fingerprint, predicted: 6, halfWidth: 2 }
  return { ...of, type: 'Kd', pk, bound: null, ...more }
}

test('exact values are used before bounds, and Kd and Ki before IC50', () => {
  const mixed = [
    row(5, { bound: 'upper' }),
    row(9, { type: 'IC50' }),
    row(7),
    row(8, { type: 'Ki' }),
  ]
  expect(combineReplicates(mixed)).toMatchObject([
    { pk: 7.5, bound: null, count: 2, types: ['Kd', 'Ki'] },
  ])
  expect(combineReplicates(mixed.slice(0, 2))).toMatchObject([
    { pk: 9, bound: null, count: 1, types: ['IC50'], spread: null },
  ])
})

test('of several bounds the tightest counts, on the side closer to the prediction', () => {
  const bounds = [
    row(8, { bound: 'upper' }),
    row(7, { bound: 'upper' }),
    row(3, { bound: 'lower' }),
  ]
  expect(combineReplicates(bounds)).toMatchObject([{ pk: 7, bound: 'upper', count: 2 }])
  const low = bounds.map((bound) => ({ ...bound, predicted: 2 }))
  expect(combineReplicates(low)).toMatchObject([{ pk: 3, bound: 'lower', count: 1 }])
})
