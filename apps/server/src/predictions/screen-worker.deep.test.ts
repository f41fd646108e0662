/** What happens to a screen, its credits and its rows when a worker or the database fails during prediction. */
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { countBytes } from '#server/files/service.ts'
import { predictTestGrid } from '#test/open-test-grid.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const t = await openTestPredictions({ creditsPerPrediction: 0.1 })
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

const changes = (rows: { delta: number; reason: string }[]) =>
  rows.map(({ delta, reason }) => [delta, reason])

test('a dead worker loses its block to the next worker, and nothing is written twice', async () => {
  const user = await t.addUser({ credits: 100, targets: 2, compounds: 300 })
  const { id } = await user.started()
  const lost = await t.fetchBlock()
  if (lost === undefined) throw new Error('there is no job')
  const restarted = await t.openTestQueue()
  t.work()
  const ended = await user.untilEnded(id)
  expect(ended).toMatchObject({ status: 'DONE', done: 600, credits_charged: 60 })
  // The dead worker wakes up after all.
  await t.store.finishBlock(lost, {
    pairs: [],
    failed: 500,
    modelVersion: 'test-1',
  })
  expect(await user.read(id)).toEqual(ended)
  const rows = await user.call('GET', `/screens/${id}/results?page_size=1000`)
  const numbers = rows.json<{ rows: { predicted_kd: number | null }[] }>().rows
  expect(numbers).toHaveLength(600)
  expect(numbers.every(({ predicted_kd }) => predicted_kd !== null)).toBe(true)
  // One row each of the first and the second block.
  const page = await user.call('GET', `/screens/${id}/results?page=2&page_size=400`)
  expect(page.headers['x-total-count']).toBe('600')
  expect(page.json()).toEqual({ rows: numbers.slice(400) })
  expect(changes(await user.ledger())).toEqual([
    [100, 'first sign-in'],
    [-60, 'screen'],
  ])
  expect(await restarted.fetch('large', 1)).toEqual([])
})

test('SPEC 20.6: pairs that cannot be predicted are retried, then refunded and listed', async () => {
  const user = await t.addUser({ credits: 10, targets: 2, compounds: 5 })
  const predictGrid = vi.fn<typeof predictTestGrid>(async (grid) => {
    const rows = await predictTestGrid(grid)
    return rows.map((row, at) => (grid.smiles[at] === 'CC' ? null : row)) as Float32Array[]
  })
  t.work(predictGrid)
  const { id } = await user.started()
  expect(await user.untilEnded(id)).toMatchObject({
    status: 'DONE',
    done: 10,
    credits_charged: 0.8,
    message:
      '2 pairs could not be predicted because of a server error. Their credits were refunded.',
  })
  const attempts = predictGrid.mock.calls.filter(([{ smiles }]) => smiles.includes('CC'))
  expect(attempts).toHaveLength(2)
  expect(changes(await user.ledger())).toEqual([
    [10, 'first sign-in'],
    [-1, 'screen'],
    [0.2, 'screen refund'],
  ])
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\r\n')
  expect(csv[3]).toMatch(/^2,C2,CC,T1,A,+"?Prediction failed because of a server error/)
})

test('a block without a job is failed and refunded, and the screen finishes', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 300 })
  const { id } = await user.started()
  const jobs = await t.db
    .selectFrom('blocks')
    .select('job_id')
    .where('order_id', '=', id)
    .orderBy('block')
    .execute()
  await t.boss.deleteJob(
    'screen-block',
    jobs.slice(0, 1).map(({ job_id }) => job_id),
  )
  t.work()
  expect(await user.untilEnded(id)).toMatchObject({
    status: 'DONE',
    done: 300,
    credits_charged: 4.4,
  })
  expect(changes(await user.ledger())).toEqual([
    [100, 'first sign-in'],
    [-30, 'screen'],
    [25.6, 'screen refund'],
  ])
})

test('a screen without any prediction has failed and costs nothing', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work(async ({ smiles }) => smiles.map(() => null))
  const { id } = await user.started()
  expect(await user.untilEnded(id)).toMatchObject({ status: 'FAILED', credits_charged: 0 })
  expect(await user.balance()).toBe(10)
  // Pairs without a prediction are charged again.
  await t.stopWorkers()
  expect(await user.started()).toMatchObject({ known: 0, credits_charged: 0.3 })
})

test('a worker stopped during a block returns it', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 200 })
  const held = t.workHeld()
  const { id } = await user.started()
  await held.begun
  const stopped = t.stopWorkers()
  held.release()
  await stopped
  expect((await user.read(id)).done).toBe(0)
  t.work()
  expect(await user.untilEnded(id)).toMatchObject({ status: 'DONE', done: 200 })
})

test('a screen cancelled during a block gets no prediction and no second refund from it', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 20 })
  const held = t.workHeld()
  const { id } = await user.started()
  await held.begun
  await user.call('DELETE', `/screens/${id}`)
  const cancelled = await user.read(id)
  held.release()
  await t.stopWorkers()
  expect(await user.read(id)).toEqual(cancelled)
  expect(cancelled).toMatchObject({ status: 'CANCELLED', done: 0, credits_charged: 0 })
  expect(changes(await user.ledger())).toEqual([
    [100, 'first sign-in'],
    [-2, 'screen'],
    [2, 'screen refund'],
  ])
})

test('SPEC 20.7: screens of two users take turns, block by block', async () => {
  const [first, second] = [
    await t.addUser({ credits: 1000, targets: 1, compounds: 1000 }),
    await t.addUser({ credits: 1000, targets: 1, compounds: 600 }),
  ]
  const screens = [await first.started(), await second.started()]
  const owners: string[] = []
  for (;;) {
    const attempt = await t.fetchBlock()
    if (attempt === undefined) break
    const { user_id } = await t.db
      .selectFrom('blocks')
      .select('user_id')
      .where('job_id', '=', attempt.id)
      .executeTakeFirstOrThrow()
    owners.push(user_id === first.userId ? 'first' : 'second')
  }
  expect(owners).toHaveLength(7)
  expect(owners.slice(0, 6).filter((owner) => owner === 'second')).toHaveLength(3)
  expect(owners.slice(0, 2).toSorted()).toEqual(['first', 'second'])
  await first.call('DELETE', `/screens/${screens[0]?.id}`)
  await second.call('DELETE', `/screens/${screens[1]?.id}`)
})

test('deleting a user with a screen does not disturb the worker', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  await user.started()
  await t.db.deleteFrom('users').where('id', '=', user.userId).execute()
  const other = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work()
  expect((await other.untilEnded((await other.started()).id)).status).toBe('DONE')
})

test('deleting a finished screen frees its storage, and its pairs cost again', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work()
  const { id } = await user.started()
  await user.untilEnded(id)
  expect(await countBytes(t.db, user.userId)).toBeGreaterThan(3 * 100)
  const deleted = await user.call('DELETE', `/screens/${id}?forever=true`)
  expect(deleted.json()).toMatchObject({ id, status: 'DONE' })
  expect((await user.call('GET', `/screens/${id}`)).statusCode).toBe(404)
  expect(await countBytes(t.db, user.userId)).toBe(0)
  const again = await user.started()
  expect(again).toMatchObject({ known: 0, credits_charged: 0.3 })
  // Left unfinished, it would be predicted in the next test.
  await user.untilEnded(again.id)
})

test('a pair that two orders wait for is predicted once, for both; the first order pays', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 300 })
  const paying = await user.started()
  const free = await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })
  expect(free.credits_charged).toBe(0)
  const { job_id } = await t.db
    .selectFrom('blocks')
    .select('job_id')
    .where('order_id', '=', free.id)
    .executeTakeFirstOrThrow()
  // Earlier tests may have left jobs.
  let attempt = await t.fetchBlock()
  while (attempt !== undefined && attempt.id !== job_id) attempt = await t.fetchBlock()
  if (attempt === undefined) throw new Error('there is no job')
  const number = { predicted: 6, lower: 5, upper: 7, domainState: null, isLigandDriven: false }
  const near = { compoundSimilarity: 0.5, targetSimilarity: 0.5 }
  const pairs = [0, 1].map((row) => ({ row, place: 0, ...number, ...near }))
  await t.store.finishBlock(attempt, { pairs, failed: 0, modelVersion: 'test-1' })
  expect((await user.read(free.id)).status).toBe('DONE')
  const rows = async () => {
    const answer = await user.call('GET', `/screens/${paying.id}/results?page_size=1000`)
    return answer.json<{ rows: { predicted_kd: number | null }[] }>().rows
  }
  expect((await rows()).slice(0, 3).map((row) => row.predicted_kd)).toEqual([6, 6, null])
  const asked: string[] = []
  t.work(async (grid) => {
    asked.push(...grid.smiles)
    return predictTestGrid(grid)
  })
  await user.untilEnded(paying.id)
  expect(asked).toHaveLength(298)
  expect(asked).not.toContain('C')
  const cost = async (id: string) => (await user.read(id)).credits_charged
  expect([await cost(paying.id), await cost(free.id)]).toEqual([30, 0])
  expect(await user.balance()).toBe(70)
})

test('pairs of a cancelled screen are passed on to the next order that waits for them', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 300 })
  const paying = await user.started()
  const orders = [
    await user.started({ targets: ['T1'], compounds: ['C1', 'C2', 'C1'] }),
    await user.started({ targets: ['T1'], compounds: ['C2', 'C3'] }),
  ]
  expect(orders.map((order) => order.credits_charged)).toEqual([0, 0])
  await user.call('DELETE', `/screens/${paying.id}`)
  const cost = async () =>
    Promise.all(orders.map(async ({ id }) => (await user.read(id)).credits_charged))
  expect(await cost()).toEqual([0.2, 0.1])
  expect(await user.balance()).toBe(99.7)
  t.work()
  for (const { id } of orders) expect(await user.untilEnded(id)).toMatchObject({ status: 'DONE' })
  expect(await cost()).toEqual([0.2, 0.1])
  expect(await user.balance()).toBe(99.7)
})

test('pairs of a deleted screen stay paid for while another screen has their numbers', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 3 })
  t.work()
  const first = await user.started()
  await user.untilEnded(first.id)
  const second = await user.started({ targets: ['T1'], compounds: ['C1', 'C2'] })
  expect(second).toMatchObject({ status: 'DONE', credits_charged: 0 })
  await user.call('DELETE', `/screens/${first.id}?forever=true`)
  expect(await user.started()).toMatchObject({ known: 2, credits_charged: 0.1 })
})

test('an order beyond the user’s storage quota is refused and costs nothing', async () => {
  const small = await openTestPredictions({ storedBytesPerUser: 100 })
  const user = await small.addUser({ credits: 10, targets: 1, compounds: 3 })
  const refused = await user.start()
  expect(refused.statusCode).toBe(409)
  expect(refused.json<{ message: string }>().message).toContain('Delete files or screens first')
  expect(await user.balance()).toBe(10)
  await small.close()
})
