/** Made-up measured values do not reveal unpaid predictions. */
import { afterAll, expect, test } from 'vitest'
import { MODEL_VERSION, resultOf } from '#test/open-test-grid.ts'
import {
  openTestMeasurements,
  openTestOwner,
  type TestOwner,
} from '#test/open-test-measurements.ts'

const t = await openTestMeasurements({ isEachPaid: false })
afterAll(() => t.close())

const compare = async (user: TestOwner) =>
  (await user.send('GET', `/measurements/comparison?target=${user.pair.target}`)).json()

test('SPEC 21.14: made-up values of a user without credits give no prediction', async () => {
  const user = await openTestOwner(t, { smiles: 'CCO' })
  const { db } = t.database
  await db.updateTable('users').set({ credits: 0 }).where('id', '=', user.userId).execute()
  await user.importText('CCO,1 nM\nCCCO,1 nM')
  await user.untilPredicted()
  const answer = await compare(user)
  expect(answer.compared).toHaveLength(2)
  for (const one of answer.compared) {
    expect(one).toMatchObject({ pk: 9, without_own: null, with_own: null })
  }
  expect(answer).toMatchObject({ without_own: { rmse: null }, with_own: { rmse: null } })
})

test('the comparison shows predictions for already predicted pairs only', async () => {
  const user = await openTestOwner(t, { smiles: 'CCO' })
  await user.importText('CCO,1 nM\nCCCO,1 nM')
  await user.untilPredicted()
  const { target: protein_id, compound: compound_id } = user.pair
  const paid = await t.predictions.app.inject({
    method: 'POST',
    url: '/dta/predict',
    headers: user.headers,
    payload: { protein_id, compound_id },
  })
  expect(paid.json()).toMatchObject({ credits_charged: 1 })
  const { compared } = await compare(user)
  const of = (smiles: string) => compared.find((one: { smiles: string }) => one.smiles === smiles)
  expect(of('CCO')).toMatchObject({ without_own: { predicted: 6 } })
  const place = { userId: user.userId, targetId: user.pair.targetId, chain: 'A', smiles: 'CCO' }
  expect(await t.complete(place, resultOf(6))).toMatchObject({ own_values_unpredicted: 1 })
  // The other value is not paid for, so it does not adjust this one.
  expect(of('CCO').with_own.predicted).toBe(6)
  expect(of('CCCO')).toMatchObject({ without_own: null, with_own: null })
})

test('attack: changing made-up values changes no error, verdict or adjusted number', async () => {
  const user = await openTestOwner(t, { smiles: 'CCO' })
  const { target: protein_id, compound: compound_id } = user.pair
  const predict = async () =>
    (
      await t.predictions.app.inject({
        method: 'POST',
        url: '/dta/predict',
        headers: user.headers,
        payload: { protein_id, compound_id },
      })
    ).json()
  await predict()
  await user.importText('CCO,1 nM\nCCCO,1 nM\nCCCCO,1 nM\nCCCCCO,1 nM')
  await user.untilPredicted()
  const seen = async () => {
    const { without_own, with_own, verdict, summary, compared } = await compare(user)
    const paid = compared.filter((one: { without_own: object | null }) => one.without_own !== null)
    return { without_own, with_own, verdict, summary, paid }
  }
  const before = await seen()
  expect(before.paid).toHaveLength(1)
  const { id: targetId } = await t.database.db
    .selectFrom('targets')
    .select('id')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow()
  const of = { userId: user.userId, targetId, chain: 'A', smiles: 'CCCCCC' }
  const adjusted = async () =>
    (await t.complete(of, { ...resultOf(6), model_version: MODEL_VERSION })).best_estimate
  const numberBefore = await adjusted()
  await user.importText('CCCO,1 mM\nCCCCO,1 mM\nCCCCCO,3 pM')
  await user.untilPredicted()
  expect(await seen()).toEqual(before)
  expect(await adjusted()).toEqual(numberBefore)
})
