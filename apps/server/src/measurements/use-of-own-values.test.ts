/** Own values that make predictions worse, or no better than their average, are used only if the user chooses so. */
import { afterAll, expect, test } from 'vitest'
import { resultOf } from '#test/open-test-grid.ts'
import {
  openTestMeasurements,
  openTestOwner,
  type TestOwner,
} from '#test/open-test-measurements.ts'

const t = await openTestMeasurements()
t.answer = () => resultOf(6)
afterAll(() => t.close())

const series = ['CCO', 'CCCO', 'CCCCO', 'CCCCCO', 'CCCCCCO', 'CCCCCCCO']
/** Similar compounds have opposite errors, so each is predicted worse from the others. */
const worse = series.map((smiles, at) => `${smiles},${at % 2 === 0 ? 7.5 : 4.5},pKd`).join('\n')

const own = async (user: TestOwner) => {
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCCCCCCO' }
  return (await t.complete(of, resultOf(6))).best_estimate
}

const unused = async (user: TestOwner) => {
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCCCCCCO' }
  return (await t.complete(of, resultOf(6))).own_values_unused
}

const compare = async (user: TestOwner) =>
  (await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)).json()

const choose = (user: TestOwner, use: boolean | null) =>
  user.send('PUT', '/measurements/use', { target: user.pair.target, use })

test('SPEC 21.10: values that make predictions worse are not used, and narrow nothing if the user enables them', async () => {
  const user = await openTestOwner(t)
  await user.importText(worse)
  await user.untilPredicted()
  expect(await compare(user)).toMatchObject({ verdict: 'harms', use: null, is_used: false })
  expect(await own(user)).toMatchObject({ predicted_kd: 6, own_values: 0 })
  expect(await unused(user)).toEqual({ count: 6, verdict: 'harms' })
  expect((await choose(user, true)).json()).toEqual({ use: true })
  expect(await compare(user)).toMatchObject({ use: true, is_used: true })
  const forced = await own(user)
  const plain = resultOf(6).interval
  const width = (forced?.interval.upper ?? 0) - (forced?.interval.lower ?? 0)
  expect(forced?.own_values).toBe(6)
  expect(width).toBeCloseTo(plain.upper - plain.lower)
})

test('values that help are used unless the user disables them; null follows the verdict again', async () => {
  const user = await openTestOwner(t)
  await user.importText(series.map((smiles) => `${smiles},${7 + smiles.length / 5},pKd`).join('\n'))
  await user.untilPredicted()
  expect(await compare(user)).toMatchObject({ verdict: 'helps', is_used: true })
  expect(await own(user)).toMatchObject({ own_values: 6 })
  await choose(user, false)
  expect(await own(user)).toMatchObject({ predicted_kd: 6, own_values: 0 })
  expect(await unused(user)).toEqual({ count: 6, verdict: 'helps' })
  await choose(user, null)
  expect(await own(user)).toMatchObject({ own_values: 6 })
})

test('SPEC 21.10: values that predict no better than their average move nothing unless the user enables them, and then narrow nothing', async () => {
  const user = await openTestOwner(t)
  // All are about one unit above the prediction, in no order that similar compounds share.
  const around = series.map((smiles, at) => `${smiles},${at % 2 === 0 ? 7.2 : 6.8},pKd`)
  await user.importText(around.join('\n'))
  await user.untilPredicted()
  const comparison = await compare(user)
  expect(comparison).toMatchObject({ verdict: 'no better than the average', is_used: false })
  expect(comparison.with_own.rmse).toBeLessThan(comparison.without_own.rmse)
  expect(comparison.with_own.rmse).toBeGreaterThanOrEqual(comparison.mean_of_own.rmse)
  expect(comparison.summary).toContain('RMSE of the average 0.2')
  expect(await own(user)).toMatchObject({ predicted_kd: 6, own_values: 0 })
  expect(await unused(user)).toEqual({ count: 6, verdict: 'no better than the average' })
  await choose(user, true)
  const forced = await own(user)
  expect(forced?.predicted_kd).toBeGreaterThan(6.5)
  const { lower, upper } = resultOf(6).interval
  expect((forced?.interval.upper ?? 0) - (forced?.interval.lower ?? 0)).toBeCloseTo(upper - lower)
})
