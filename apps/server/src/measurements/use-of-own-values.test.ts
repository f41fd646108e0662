/** Own values that make predictions worse narrow no interval, and are used only if the user chooses so. */
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
  return (await t.addOwnValues(of, resultOf(6))).own_values
}

const unused = async (user: TestOwner) => {
  const of = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCCCCCCCO' }
  return (await t.addOwnValues(of, resultOf(6))).own_values_unused
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
  expect(await own(user)).toBeUndefined()
  expect(await unused(user)).toEqual({ count: 6, is_harmful: true })
  expect((await choose(user, true)).json()).toEqual({ use: true })
  expect(await compare(user)).toMatchObject({ use: true, is_used: true })
  const forced = await own(user)
  expect(forced?.is_harmful).toBe(true)
  const plain = resultOf(6).interval
  const width = (forced?.interval.upper ?? 0) - (forced?.interval.lower ?? 0)
  expect(forced?.count).toBe(6)
  expect(width).toBeCloseTo(plain.upper - plain.lower)
})

test('values that help are used unless the user disables them; null follows the verdict again', async () => {
  const user = await openTestOwner(t)
  await user.importText(series.map((smiles) => `${smiles},7.5,pKd`).join('\n'))
  await user.untilPredicted()
  expect(await compare(user)).toMatchObject({ verdict: 'helps', is_used: true })
  expect(await own(user)).toMatchObject({ count: 6 })
  await choose(user, false)
  expect(await own(user)).toBeUndefined()
  expect(await unused(user)).toEqual({ count: 6, is_harmful: false })
  await choose(user, null)
  expect(await own(user)).toMatchObject({ count: 6 })
})
