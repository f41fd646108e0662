/** Measured values are imported, listed, changed, compared and deleted, and only their user sees them. */
import type { PredictionResult } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { resultOf } from '#test/open-test-grid.ts'
import {
  openTestMeasurements,
  openTestOwner,
  type TestOwner,
} from '#test/open-test-measurements.ts'

const t = await openTestMeasurements()
beforeEach(() => {
  t.answer = () => resultOf(6)
})
afterAll(() => t.close())

const series = ['CCO', 'CCCO', 'CCCCO', 'CCCCCO', 'CCCCCCO']

const list = async (user: TestOwner, query = '') =>
  (await user.send('GET', `/measurements${query}`)).json()

test('a name that looks like another kind of file affects no other line', async () => {
  const user = await openTestOwner(t, { smiles: 'CCN' })
  const answer = await user.importText('Name;pKd\n>odd name;7\n"a, b";6\nCCO;6\nCCCO propanol;5')
  expect(answer).toMatchObject({ added: 2 })
  expect(answer.rejected.map(({ line }) => line)).toEqual([2, 3])
})

test('SPEC 21.1: values are imported by compound name and by SMILES; invalid lines are skipped with their reason', async () => {
  const user = await openTestOwner(t, { smiles: 'CCN' })
  const answer = await user.importText(
    `${user.pair.compound},12 nM\nc1ccccc1O,>10,uM\nno such thing,3 nM\nCCO,weak\n\nOCC,4 nM\nCCO,5 nM`,
  )
  expect(answer).toMatchObject({ added: 4, replaced: 0, repeated: 0 })
  expect(answer.rejected.map(({ line, reason }) => [line, reason])).toEqual([
    [3, expect.stringContaining('You have no compound named “no such thing”')],
    [4, '“weak” is not a number.'],
  ])
  const { measurements, targets } = await list(user)
  expect(targets).toEqual([{ name: user.pair.target, count: 4 }])
  expect(measurements).toContainEqual({
    id: expect.any(String),
    target: user.pair.target,
    compound: user.pair.compound,
    smiles: 'CCN',
    type: 'Kd',
    value: 'Kd 12 nM',
    pk: expect.closeTo(7.921, 3),
    bound: null,
    created_at: expect.any(String),
  })
  expect(measurements).toContainEqual(
    expect.objectContaining({ compound: 'c1ccccc1O', bound: 'upper', pk: 5 }),
  )
})

test('SPEC 21.2: a corrected line keeps the type and unit of its header', async () => {
  const user = await openTestOwner(t)
  const first = await user.importText('SMILES,IC50 uM\nCCO,0.2\nCCN,n.d.')
  expect(first).toMatchObject({ added: 1, rejected: [{ line: 3 }], has_header: true })
  expect(await user.importText('SMILES,IC50 uM\nCCN,0.5')).toMatchObject({ added: 1 })
  const { measurements } = await list(user)
  expect(measurements).toContainEqual(
    expect.objectContaining({ smiles: 'CCN', type: 'IC50', pk: expect.closeTo(6.301, 3) }),
  )
})

test('a notebook export has ID, SMILES and value: the SMILES is read, the ID is shown', async () => {
  const user = await openTestOwner(t)
  const answer = await user.importText(
    'Compound ID,SMILES,IC50 nM\nTYK-0,CCO,12\nTYK-1,CCN,>10000\nTYK-2,,5',
  )
  expect(answer).toMatchObject({ added: 2, rejected: [{ line: 4 }] })
  const { measurements } = await list(user)
  expect(measurements).toContainEqual(
    expect.objectContaining({
      compound: 'TYK-0',
      smiles: 'CCO',
      type: 'IC50',
      value: 'IC50 12 nM',
    }),
  )
})

test('values stored without descriptors get them at the first comparison', async () => {
  const user = await openTestOwner(t)
  await user.importText(series.map((smiles) => `${smiles},100 nM`).join('\n'))
  await user.untilPredicted()
  const compare = async () =>
    (await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)).json()
  const before = await compare()
  expect(before.compared).toHaveLength(series.length)
  const { db } = t.database
  await sql`update measurements set fingerprint = substring(fingerprint from 1 for 128)
    where user_id = ${user.userId}`.execute(db)
  expect(await compare()).toEqual(before)
  const kept = await db
    .selectFrom('measurements')
    .select('fingerprint')
    .where('user_id', '=', user.userId)
    .execute()
  expect(kept.map(({ fingerprint }) => fingerprint.length)).toEqual(series.map(() => 156))
})

test('an import without a valid line returns all reasons', async () => {
  const user = await openTestOwner(t)
  const answer = await user.importText('nonsense,3 nM\nCCO,3 furlongs')
  expect(answer).toMatchObject({ added: 0, rejected: [{ line: 1 }, { line: 2 }] })
})

test('SPEC 21.3: values can be replaced by an import, changed, and deleted, one by one or all at once', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,12 nM\nCCCO,15 nM')
  const replaced = await user.importText('OCC,8,pKi', { replace: true })
  expect(replaced).toMatchObject({ added: 1, replaced: 1, repeated: 0 })
  const { measurements } = await list(user)
  const [{ id }] = measurements
  expect(measurements[0]).toMatchObject({ value: 'pKi 8', pk: 8 })
  const change = { value: '>1', unit: 'µM', type: 'IC50' }
  const changed = await user.send('PUT', `/measurements/${id}`, change)
  expect(changed.json()).toMatchObject({ id, value: 'IC50 > 1 µM', pk: 6, bound: 'upper' })
  const refused = await user.send('PUT', `/measurements/${id}`, { ...change, value: 'x' })
  expect(refused.json()).toMatchObject({ message: '“x” is not a number.' })
  expect((await user.send('DELETE', `/measurements/${id}`)).json()).toEqual({ deleted: 1 })
  expect((await list(user)).measurements).toHaveLength(1)
  const all = await user.send('DELETE', `/measurements?target=${user.pair.target}`)
  expect(all.json()).toEqual({ deleted: 1 })
  expect(await list(user)).toEqual({ measurements: [], targets: [] })
})

test('SPEC 21.4: a target has at most 500 values, and an import beyond that stores nothing', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,1 nM')
  await sql`insert into measurements
    (user_id, target_id, compound, smiles, type, value, pk, fingerprint, is_predicted, created_at)
    select user_id, target_id, compound, smiles || place, type, value, pk, fingerprint, true, created_at
    from measurements, generate_series(2, 499) place
    where target_id = ${user.pair.targetId}`.execute(t.database.db)
  const text = 'c1ccccc1,1 nM\nc1ccncc1,1 nM'
  const answer = await user.send('POST', '/measurements', { target: user.pair.target, text })
  expect(answer.statusCode).toBe(409)
  expect(answer.json().message).toBe(
    'A target can have at most 500 measured values; this import would make 501.',
  )
  expect((await list(user)).targets).toEqual([{ name: user.pair.target, count: 499 }])
})

test('SPEC 21.5: measured values cannot be seen, changed or deleted by other users, nor change their predictions', async () => {
  const [owner, stranger] = [await openTestOwner(t), await openTestOwner(t)]
  await owner.importText('CCO,1 nM')
  await owner.untilPredicted()
  const [{ id }] = (await list(owner)).measurements
  expect(await list(stranger)).toEqual({ measurements: [], targets: [] })
  expect(await list(stranger, `?target=${owner.pair.target}`)).toMatchObject({ measurements: [] })
  const change = { value: 1, unit: 'M', type: 'Kd' }
  const calls = [
    stranger.send('PUT', `/measurements/${id}`, change),
    stranger.send('DELETE', `/measurements/${id}`),
    stranger.send('DELETE', `/measurements?target=${owner.pair.target}`),
    stranger.send('GET', `/measurements/comparison?target=${owner.pair.target}`),
    stranger.send('POST', '/measurements', { target: owner.pair.target, text: 'CCO,1 nM' }),
  ]
  for (const answer of await Promise.all(calls)) expect(answer.statusCode).toBe(404)
  const of = { targetId: owner.pair.targetId, chain: 'A', smiles: 'CCO' }
  const asStranger = await t.complete({ ...of, userId: stranger.userId }, resultOf(6))
  expect(asStranger).toEqual(unmoved(resultOf(6)))
  expect((await list(owner)).measurements).toMatchObject([{ value: 'Kd 1 nM' }])
})

test('an own value of exactly this pair is listed before training values', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,10 nM')
  await user.untilPredicted()
  const training = { pk: 7.5, bound: null, types: ['Ki'], source: 'training' as const }
  const known = { ...resultOf(6), exact_measurements: [training] }
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCO' }
  const { exact_measurements: exact } = await t.complete(of, known)
  expect(exact).toEqual([{ pk: 8, bound: null, types: ['Kd'], source: 'own' }, training])
  const other = await t.complete({ ...of, smiles: 'CCCO' }, known)
  expect(other.exact_measurements).toEqual([training])
})

/** With a best estimate that is the prediction. */
const unmoved = (result: PredictionResult) => {
  const { predicted_kd, interval } = result
  return { ...result, best_estimate: { predicted_kd, interval, own_values: 0 } }
}

test('SPEC 21.6: a result includes the prediction adjusted by measured values, and nothing else changes', async () => {
  const user = await openTestOwner(t)
  await user.importText(series.map((one) => `${one},${5.2 + one.length * 0.4},pKd`).join('\n'))
  await user.untilPredicted()
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCCCCCO' }
  const { best_estimate: own, ...plain } = await t.complete(of, resultOf(6))
  expect(plain).toEqual(resultOf(6))
  expect(own?.own_values).toBe(5)
  expect(own?.predicted_kd).toBeGreaterThan(7)
  expect(own?.predicted_kd).toBeLessThan(8)
  const width = (own?.interval.upper ?? 0) - (own?.interval.lower ?? 0)
  expect(width).toBeLessThan(4)
  expect(width).toBeGreaterThan(0)
  const otherModel = { ...resultOf(6), model_version: 'another' }
  expect(await t.complete(of, otherModel)).toEqual(unmoved(otherModel))
  expect(await t.complete({ ...of, chain: 'B' }, resultOf(6))).toEqual(unmoved(resultOf(6)))
})

test('a bound that the prediction already satisfies does not change the prediction; a violated one does', async () => {
  const user = await openTestOwner(t)
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCO' }
  await user.importText('CCO,>0.1 nM')
  await user.untilPredicted()
  expect(await t.complete(of, resultOf(6))).toEqual(unmoved(resultOf(6)))
  await user.importText('CCO,>100 µM', { replace: true })
  await user.untilPredicted()
  const { best_estimate: best } = await t.complete(of, resultOf(6))
  expect(best?.predicted_kd).toBeLessThan(5.5)
})

test('SPEC 21.7: the comparison leaves out each value in turn and reports whether the values help', async () => {
  const user = await openTestOwner(t)
  t.answer = ({ smiles }) => resultOf(smiles.length / 2 + 3)
  const lines = series.map((smiles) => `${smiles},${smiles.length / 2 + 5},pKd`)
  await user.importText([...lines, 'c1ccccc1,<9,pKd'].join('\n'))
  await user.untilPredicted()
  const answer = await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)
  const comparison = answer.json()
  expect(comparison).toMatchObject({ target: user.pair.target, verdict: 'helps', waiting: 0 })
  expect(comparison.without_own.rmse).toBeCloseTo(2)
  expect(comparison.with_own.rmse).toBeLessThan(0.7)
  expect(comparison.without_own.tau).toBe(1)
  expect(comparison.compared).toHaveLength(6)
  expect(comparison.compared[0]).toMatchObject({ compound: 'c1ccccc1', bound: 'upper' })
  expect(comparison.compared[1]).toMatchObject({ compound: 'CCCCCCO', pk: 8.5, bound: null })
  expect(comparison.summary).toMatch(
    /^Your values improve predictions \(leave-one-out RMSE 2\.00 → 0\.\d\d, n = \d+\)\.$/,
  )
})

test('values that make predictions worse never narrow an interval', async () => {
  const user = await openTestOwner(t)
  t.answer = () => resultOf(6)
  // Compounds that differ by one carbon, alternately far above and far below the prediction.
  const harmful = series.map((smiles, at) => `${smiles},${at % 2 === 0 ? 8 : 4},pKd`)
  await user.importText(harmful.join('\n'))
  await user.untilPredicted()
  const answer = await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)
  expect(answer.json().verdict).toBe('harms')
  await user.send('PUT', '/measurements/use', { target: user.pair.target, use: true })
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCCCCCO' }
  const { best_estimate: best, interval } = await t.complete(of, resultOf(6))
  expect(best?.own_values).toBe(5)
  const widthOf = ({ lower, upper }: { lower: number; upper: number }) => upper - lower
  expect(widthOf(best?.interval ?? { lower: 0, upper: 0 })).toBeGreaterThanOrEqual(
    widthOf(interval) - 1e-9,
  )
})
