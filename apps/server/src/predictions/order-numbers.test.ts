import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { orderNumber } from './screen-table.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const t = await openTestPredictions()
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

test('the database refuses a second payer of a pair', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 2 })
  t.work()
  const first = await user.started()
  await user.untilEnded(first.id)
  const second = await user.started()
  const payers = async (id: string) => {
    const pairs = t.db
      .selectFrom('pairs')
      .select('is_payer')
      .where('order_number', '=', orderNumber(id))
    return (await pairs.execute()).map((pair) => pair.is_payer)
  }
  expect(await payers(first.id)).toEqual([true, true])
  expect(await payers(second.id)).toEqual([false, false])
  const paying = t.db
    .updateTable('pairs')
    .set({ is_payer: true })
    .where('order_number', '=', orderNumber(second.id))
  await expect(paying.execute()).rejects.toThrow('pairs_payer')
})

test('a charge passed on to an order with a lower price leaves the difference to be refunded', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 2 })
  const first = await user.started()
  expect(await user.balance()).toBe(8)
  // As if the price had been 2 at the time of the first order.
  await sql`update orders set credits_per_pair = 2, credits_charged = 4 where id = ${first.id}`.execute(
    t.db,
  )
  await sql`update users set credits = 6 where id = ${user.userId}`.execute(t.db)
  const second = await user.started()
  expect(second.credits_charged).toBe(0)
  await user.call('DELETE', `/screens/${first.id}`)
  const cost = async (id: string) => (await user.read(id)).credits_charged
  expect([await cost(first.id), await cost(second.id), await user.balance()]).toEqual([0, 2, 8])
  await user.call('DELETE', `/screens/${second.id}`)
  expect([await cost(second.id), await user.balance()]).toEqual([0, 10])
})

test('a screen is deleted only after orders in progress that have copies of its pairs', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work()
  const first = await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })
  await user.untilEnded(first.id)
  await t.stopWorkers()
  const second = await user.started({ targets: ['T1'], compounds: ['C2', 'C3'] })
  const remove = () => user.call('DELETE', `/screens/${first.id}?forever=true`)
  expect((await remove()).statusCode).toBe(409)
  await user.call('DELETE', `/screens/${second.id}`)
  // The pair that was not predicted is refunded, and the copy is paid for.
  expect(await user.balance()).toBe(8)
  expect((await remove()).statusCode).toBe(200)
  expect(await user.started()).toMatchObject({ known: 1, credits_charged: 2 })
})

test('a screen whose deletion was interrupted is not found, and the next sweep deletes it and leaves its payment', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work()
  const first = await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })
  await user.untilEnded(first.id)
  const second = await user.started({ targets: ['T1'], compounds: ['C2'] })
  const order = t.db.selectFrom('orders').select('id').where('id', '=', first.id)
  const { number } = await order.select('number').executeTakeFirstOrThrow()
  const left = t.db.selectFrom('pairs').select('row').where('order_number', '=', number)
  // As if the process had ended after the first transaction.
  await t.db.updateTable('orders').set({ kind: 'removed' }).where('id', '=', first.id).execute()
  expect((await user.call('GET', `/screens/${first.id}`)).statusCode).toBe(404)
  expect((await user.call('GET', '/screens')).json().screens).toMatchObject([{ id: second.id }])
  expect(await left.execute()).toHaveLength(2)
  await t.store.emptyRemoved()
  expect([await order.execute(), await left.execute()]).toEqual([[], []])
  expect(await user.started()).toMatchObject({ known: 1, credits_charged: 2 })
})
