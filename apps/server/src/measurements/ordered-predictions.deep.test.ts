/** Measured values get their predictions through the same queue as all orders, at no cost. */
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readBalance } from '#server/credits/service.ts'
import { MODEL_VERSION, resultOf } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
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

const ordersOf = ({ userId }: TestOwner) =>
  t.database.db
    .selectFrom('orders')
    .innerJoin('blocks', 'blocks.order_id', 'orders.id')
    .select(['kind', 'paid', 'credits_charged as cost', 'lane', 'rows'])
    .where('orders.user_id', '=', userId)
    .execute()

const valuesOf = ({ userId }: TestOwner) =>
  t.database.db
    .selectFrom('measurements')
    .select(['smiles', 'predicted', 'is_predicted as isPredicted', 'order_id as orderId'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('smiles')
    .execute()

const predict = ({ headers, pair }: TestOwner) =>
  t.predictions.app.inject({
    method: 'POST',
    url: '/dta/predict',
    headers,
    payload: { protein_id: pair.target, compound_id: pair.compound },
  })

/** The model predicts no measured values until it is released. */
function holdModel(held: (smiles: string) => boolean) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.answer = async ({ smiles }) => {
    if (!held(smiles)) return resultOf(7)
    begun.resolve()
    await released.promise
    return resultOf(6)
  }
  onTestFinished(() => released.resolve())
  return { begun: begun.promise, release: () => released.resolve() }
}

test('SPEC 21.15: an import is one free order that is never listed, and only its predictions are kept', async () => {
  const user = await openTestOwner(t)
  const before = await readBalance(t.database.db, user.userId)
  const { begun, release } = holdModel(() => true)
  await user.importText('CCO,1 nM\nCCO,2 nM\nCCN,3 nM')
  await begun
  expect(await ordersOf(user)).toEqual([
    { kind: 'measurement', paid: 2, cost: 0, lane: 'large', rows: 2 },
  ])
  const history = await t.predictions.app.inject({ url: '/history', headers: user.headers })
  expect(history.json()).toMatchObject({ predictions: [] })
  release()
  await user.untilPredicted()
  const number = { predicted: 6, isPredicted: true, orderId: null }
  expect(await valuesOf(user)).toEqual([
    { smiles: 'CCN', ...number },
    { smiles: 'CCO', ...number },
    { smiles: 'CCO', ...number },
  ])
  expect(await ordersOf(user)).toEqual([])
  expect(await readBalance(t.database.db, user.userId)).toBe(before)
})

test('a single prediction does not wait for an import of many values', async () => {
  const [importing, predicting] = [await openTestOwner(t), await openTestOwner(t)]
  const isMeasured = (smiles: string) => smiles !== 'CCO'
  const { begun, release } = holdModel(isMeasured)
  const many = Array.from({ length: 300 }, (_, at) => {
    const branches = (at + 2).toString(2).replaceAll('0', 'C').replaceAll('1', 'C(C)')
    return `C${branches}O`
  })
  await importing.importText(many.map((smiles) => `${smiles},1 nM`).join('\n'))
  await begun
  expect(await ordersOf(importing)).toMatchObject([{ rows: 256 }, { rows: 44 }])
  const single = await predict(predicting)
  expect(single.json()).toMatchObject({ predicted_kd: 7 })
  release()
  await importing.untilPredicted()
})

test('a value on an already predicted pair has its prediction immediately', async () => {
  const user = await openTestOwner(t, { smiles: 'CCO' })
  t.answer = () => resultOf(7)
  await predict(user)
  t.answer = () => resultOf(5)
  await user.importText('CCO,1 nM\nCCN,1 nM')
  await user.untilPredicted()
  expect(await valuesOf(user)).toMatchObject([
    { smiles: 'CCN', predicted: 5 },
    { smiles: 'CCO', predicted: 7 },
  ])
})

test('a value that the model cannot predict has no prediction, and is not ordered again', async () => {
  const user = await openTestOwner(t)
  t.answer = ({ smiles }) => {
    if (smiles === 'CCN') throw new Error('The model has no number.')
    return resultOf(6)
  }
  await user.importText('CCN,1 nM')
  await user.untilPredicted()
  expect(await valuesOf(user)).toMatchObject([{ predicted: null, isPredicted: true }])
  expect(await ordersOf(user)).toEqual([])
})

test('if the chain changes while values are predicted, they are predicted again', async () => {
  const user = await openTestOwner(t)
  const { begun, release } = holdModel(() => true)
  await user.importText('CCO,1 nM')
  await begun
  await t.database.db
    .updateTable('targets')
    .set({ chain: 'B' })
    .where('id', '=', user.pair.targetId)
    .execute()
  t.answer = ({ segments }) => resultOf(segments.length)
  release()
  await user.untilPredicted()
  expect(await valuesOf(user)).toMatchObject([{ predicted: 1, isPredicted: true }])
})

test('values of a target that is deleted during prediction wait until it is uploaded again', async () => {
  const user = await openTestOwner(t)
  const other = await addPair(t.database, user.userId)
  const { begun, release } = holdModel(() => true)
  await user.importText('CCO,1 nM', { target: other.target })
  await begun
  await t.database.db.deleteFrom('targets').where('id', '=', other.targetId).execute()
  release()
  await expect.poll(() => ordersOf(user)).toEqual([])
  expect(await valuesOf(user)).toMatchObject([{ predicted: null, isPredicted: false }])
})

test('selecting another chain selects another protein, so predictions are requested again', async () => {
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

test('after a model update predictions are requested again', async () => {
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
