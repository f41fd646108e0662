/** A new model is installed while a screen waits or is half done: which model version each prediction states. */
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { ScreenRow } from '@pkdex/contract'
import { predictTestGrid } from '#test/open-test-grid.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { orderNumber } from './screen-table.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'

/** The API reports test-1, so test-1 is the new model here. */
const [earlier, current] = ['test-0', 'test-1']
const t = await openTestPredictions()
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

/** Makes the screen look as if it had been ordered before the upgrade. */
async function ordered(user: TestScreenUser, payload?: object): Promise<string> {
  const { id } = await user.started(payload)
  const set = { model_version: earlier }
  await t.db.updateTable('orders').set(set).where('id', '=', id).execute()
  return id
}

async function rowsOf(user: TestScreenUser, id: string, query = ''): Promise<ScreenRow[]> {
  const answer = await user.call('GET', `/screens/${id}/results?page_size=1000${query}`)
  return answer.json().rows
}

const versionsIn = (rows: ScreenRow[]) => rows.map(({ model_version }) => model_version)
const quote = async (user: TestScreenUser, payload: object) =>
  (await user.call('POST', '/screens/quote', { payload })).json()

test('SPEC 27.10: a screen that waited during an upgrade has the version of the model that predicted it', async () => {
  const user = await t.addUser({ credits: 10, targets: 2, compounds: 3 })
  const id = await ordered(user)
  // It is paid for, and the new model will predict it.
  const wanted = { targets: user.targets, compounds: 'all' }
  expect(await quote(user, wanted)).toMatchObject({ credits_needed: 0 })
  t.work(predictTestGrid, current)
  expect(await user.untilEnded(id)).toMatchObject({ status: 'DONE', model_version: current })
  for (const query of ['', '&sort=affinity', '&text=C']) {
    expect(versionsIn(await rowsOf(user, id, query))).toEqual(Array(6).fill(current))
  }
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.trimEnd().split('\r\n')
  expect(csv.slice(1).every((line) => line.endsWith(`,${current},${id}`))).toBe(true)
  expect(await quote(user, wanted)).toMatchObject({ known: 6, credits_needed: 0 })
})

test('SPEC 27.10: a screen half done at an upgrade names both models, and each row its own', async () => {
  const user = await t.addUser({ credits: 600, targets: 1, compounds: 300 })
  const id = await ordered(user)
  let asked = 0
  const stuck = Promise.withResolvers<void>()
  // 256 rows are the first block.
  t.work(async (grid) => {
    asked += grid.smiles.length
    if (asked > 256) await stuck.promise
    return predictTestGrid(grid)
  }, earlier)
  await vi.waitFor(async () => expect((await user.read(id)).done).toBe(256), 50_000)
  const stopped = t.stopWorkers()
  stuck.resolve()
  await stopped
  expect(await user.read(id)).toMatchObject({ done: 256, model_version: earlier })
  t.work(predictTestGrid, current)
  expect(await user.untilEnded(id)).toMatchObject({ model_version: `${earlier}, ${current}` })
  const both = [...Array(256).fill(earlier), ...Array(44).fill(current)]
  expect(versionsIn(await rowsOf(user, id))).toEqual(both)
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.trimEnd().split('\r\n')
  expect([csv[256], csv[257]]).toEqual([
    expect.stringContaining(`,${earlier},`),
    expect.stringContaining(`,${current},`),
  ])
  const wanted = { targets: user.targets, compounds: 'all' }
  expect(await quote(user, wanted)).toMatchObject({ known: 44, credits_needed: 256 })
})

test('a number of an earlier model that a waiting screen started with is kept, and never refunded', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 2 })
  t.work(predictTestGrid, current)
  const { id: first } = await user.started({ targets: user.targets, compounds: ['C1'] })
  await user.untilEnded(first)
  await t.stopWorkers()
  const id = await ordered(user)
  // Both were ordered before the upgrade.
  const set = { model_version: earlier }
  await t.db
    .updateTable('pairs')
    .set(set)
    .where('order_number', 'in', [orderNumber(first), orderNumber(id)])
    .execute()
  expect(await user.balance()).toBe(8)
  t.work(async ({ smiles }) => smiles.map(() => null), current)
  await user.untilEnded(id)
  const rows = await rowsOf(user, id)
  expect(rows.map((row) => row.predicted_kd === null)).toEqual([false, true])
  expect(rows[0]?.model_version).toBe(earlier)
  expect(await user.balance()).toBe(9)
})

test('a screen cancelled after an upgrade passes its payment on to a later one of the same pairs', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 2 })
  const first = await ordered(user)
  const { id } = await user.started()
  expect(await user.balance()).toBe(8)
  await user.call('DELETE', `/screens/${first}`)
  t.work(predictTestGrid, current)
  expect(await user.untilEnded(id)).toMatchObject({ status: 'DONE', credits_charged: 2 })
  expect(await user.read(first)).toMatchObject({ status: 'CANCELLED', credits_charged: 0 })
  expect(await user.balance()).toBe(8)
})
