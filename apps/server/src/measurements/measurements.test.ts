/** Own values are imported, listed, changed, compared and forgotten, and belong to their user alone. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPair, resultOf } from '#server/predictions/open-test-predictions.ts'
import { removeUser } from '#server/admin-users/service.ts'
import {
  MODEL_VERSION,
  openTestMeasurements,
  openTestOwner,
  type TestMeasurements,
  type TestOwner,
} from './open-test-measurements.ts'

let t: TestMeasurements
beforeAll(async () => {
  t = await openTestMeasurements()
})
beforeEach(() => {
  t.answer = () => resultOf(6)
})
afterAll(() => t.close())

const series = ['CCO', 'CCCO', 'CCCCO', 'CCCCCO', 'CCCCCCO']

const list = async (user: TestOwner, query = '') =>
  (await user.send('GET', `/measurements${query}`)).json()

test('values are taken by name and by SMILES; bad lines are told with their reason and sink no other', async () => {
  const user = await openTestOwner(t, { smiles: 'CCN' })
  const answer = await user.importText(
    `${user.pair.compound},12 nM\nc1ccccc1O,>10,uM\nno such thing,3 nM\nCCO,weak\n\nOCC,4 nM\nCCO,5 nM`,
  )
  expect(answer).toMatchObject({ added: 3, replaced: 0 })
  expect(answer.rejected.map(({ line, reason }) => [line, reason])).toEqual([
    [3, expect.stringContaining('You have no compound named “no such thing”')],
    [4, '“weak” is not a number.'],
    [7, 'This molecule has a value in line 6 already; one a target can be kept.'],
  ])
  const { measurements, targets } = await list(user)
  expect(targets).toEqual([{ name: user.pair.target, count: 3 }])
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

test('an import in which no line is good answers every reason', async () => {
  const user = await openTestOwner(t)
  const answer = await user.importText('nonsense,3 nM\nCCO,3 furlongs')
  expect(answer).toMatchObject({ added: 0, rejected: [{ line: 1 }, { line: 2 }] })
})

test('a compound that is imported again gets the new value; one can be changed and deleted, or all', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,12 nM\nCCCO,15 nM')
  expect(await user.importText('OCC,8,pKi')).toMatchObject({ added: 0, replaced: 1 })
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

test('a target has 500 values at most, and of what is too much nothing is kept', async () => {
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
    'A target can have 500 measured values at most; with these it would have 501.',
  )
  expect((await list(user)).targets).toEqual([{ name: user.pair.target, count: 499 }])
})

test('nobody sees, changes or deletes the values of another, nor do they move another’s numbers', async () => {
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
  const asStranger = await t.addOwnValues({ ...of, userId: stranger.userId }, resultOf(6))
  expect(asStranger).toEqual(resultOf(6))
  expect((await list(owner)).measurements).toMatchObject([{ value: 'Kd 1 nM' }])
})

test('a number says what own values make of it, and everything else in it stays', async () => {
  const user = await openTestOwner(t)
  await user.importText(series.map((smiles) => `${smiles},10 nM`).join('\n'))
  await user.untilPredicted()
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCCCCCO' }
  const { own_values: own, ...plain } = await t.addOwnValues(of, resultOf(6))
  expect(plain).toEqual(resultOf(6))
  expect(own?.count).toBe(5)
  expect(own?.predicted_kd).toBeGreaterThan(7)
  expect(own?.predicted_kd).toBeLessThan(8)
  const width = (own?.interval.upper ?? 0) - (own?.interval.lower ?? 0)
  expect(width).toBeLessThan(4)
  expect(width).toBeGreaterThan(0)
  const otherModel = { ...resultOf(6), model_version: 'another' }
  expect(await t.addOwnValues(of, otherModel)).toEqual(otherModel)
  expect(await t.addOwnValues({ ...of, chain: 'B' }, resultOf(6))).toEqual(resultOf(6))
})

test('a bound that the number keeps moves nothing; one that it breaks moves it', async () => {
  const user = await openTestOwner(t)
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCO' }
  await user.importText('CCO,>0.1 µM')
  await user.untilPredicted()
  expect(await t.addOwnValues(of, resultOf(6))).toEqual(resultOf(6))
  await user.importText('CCO,>100 µM')
  const { own_values } = await t.addOwnValues(of, resultOf(6))
  expect(own_values?.predicted_kd).toBeLessThan(5.5)
})

test('predicted against measured: each value is left out in turn, and the verdict is plain', async () => {
  const user = await openTestOwner(t)
  t.answer = ({ smiles }) => resultOf(smiles.length / 10 + 5)
  const lines = series.map((smiles) => `${smiles},${smiles.length / 10 + 7},pKd`)
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
  expect(comparison.compared[1]).toMatchObject({ compound: 'CCCCCCO', pk: 7.7, bound: null })
  expect(comparison.summary).toMatch(/^Your values help: .* from 2\.00 to 0\.\d\d\.$/)
})

test('another chain is another protein: its numbers are asked for anew', async () => {
  const user = await openTestOwner(t)
  t.answer = ({ segments }) => resultOf(segments.length)
  await user.importText('CCO,1 nM')
  await user.untilPredicted()
  const predicted = async () => {
    await user.untilPredicted()
    const answer = await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)
    return answer.json().compared[0].without_own.predicted
  }
  expect(await predicted()).toBe(2)
  const { db } = t.database
  await db.updateTable('targets').set({ chain: 'B' }).where('id', '=', user.pair.targetId).execute()
  expect(await predicted()).toBe(1)
})

test('values go with their target, and with the account', async () => {
  const user = await openTestOwner(t)
  const other = await addPair(t.database, user.userId)
  await user.importText('CCO,1 nM')
  await user.importText('CCO,1 nM', { target: other.target })
  const { db } = t.database
  const kept = () =>
    db.selectFrom('measurements').select('id').where('user_id', '=', user.userId).execute()
  expect(await kept()).toHaveLength(2)
  await db.deleteFrom('targets').where('id', '=', other.targetId).execute()
  expect(await kept()).toHaveLength(1)
  const by = { administrator: 'admin@lab.example', userId: user.userId, now: new Date() }
  await removeUser(db, by)
  expect(await kept()).toEqual([])
})

test('what another model said is asked for anew', async () => {
  const user = await openTestOwner(t)
  await user.importText('CCO,1 nM')
  await user.untilPredicted()
  const { db } = t.database
  const own = db.updateTable('measurements').where('user_id', '=', user.userId)
  await own.set({ model_version: 'older', is_predicted: false }).execute()
  await user.untilPredicted()
  const row = await db
    .selectFrom('measurements')
    .select(['model_version', 'predicted'])
    .where('user_id', '=', user.userId)
    .executeTakeFirst()
  expect(row).toEqual({ model_version: MODEL_VERSION, predicted: 6 })
})
