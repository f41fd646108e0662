/** What becomes of a screen, its credits and its rows when something goes wrong while it is predicted. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTestScreens, predictTestGrid, type TestScreens } from './open-test-screens.ts'

let t: TestScreens
beforeAll(async () => {
  t = await openTestScreens({ creditsPerPrediction: 0.1 })
})
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

const changes = (rows: { delta: number; reason: string }[]) =>
  rows.map(({ delta, reason }) => [delta, reason])

test('a worker that died loses its block to the next one, and neither writes twice', async () => {
  const user = await t.addUser({ credits: 100, targets: 2, compounds: 300 })
  const { id } = await user.started()
  const [lost] = await t.queue.fetch(1)
  if (lost === undefined) throw new Error('there is no job')
  const restarted = await t.openTestQueue()
  t.work()
  const ended = await user.untilEnded(id)
  expect(ended).toMatchObject({ status: 'DONE', done: 600, credits_charged: 60 })
  // The dead one wakes up after all.
  await t.store.finishBlock(lost, { cells: Buffer.alloc(0), failed: 500 })
  expect(await user.read(id)).toEqual(ended)
  const rows = await user.call('GET', `/screens/${id}/results?page_size=1000`)
  const numbers = rows.json<{ rows: { predicted_kd: number | null }[] }>().rows
  expect(numbers).toHaveLength(600)
  expect(numbers.every(({ predicted_kd }) => predicted_kd !== null)).toBe(true)
  expect(changes(await user.ledger())).toEqual([
    [100, 'first sign-in'],
    [-60, 'screen'],
  ])
  expect(await restarted.fetch(1)).toEqual([])
})

test('pairs that cannot be predicted are tried again, then refunded and named', async () => {
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
    message: '2 pairs could not be predicted on our side; what they cost was returned.',
  })
  expect(predictGrid).toHaveBeenCalledTimes(2)
  expect(changes(await user.ledger())).toEqual([
    [10, 'first sign-in'],
    [-1, 'screen'],
    [0.2, 'screen refund'],
  ])
  const csv = (await user.call('GET', `/screens/${id}/results.csv`)).body.split('\r\n')
  expect(csv[3]).toMatch(/^2,C2,CC,T1,A,,,,,,,,,"?The prediction failed on our side/)
})

test('a block whose job is gone is failed and refunded, and the screen comes to its end', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 300 })
  const { id } = await user.started()
  const jobs = await t.db
    .selectFrom('screen_blocks')
    .select('job_id')
    .where('screen_id', '=', id)
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

test('where nothing could be predicted the screen has failed and cost nothing', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work(async ({ smiles }) => smiles.map(() => null))
  const { id } = await user.started()
  expect(await user.untilEnded(id)).toMatchObject({ status: 'FAILED', credits_charged: 0 })
  expect(await user.balance()).toBe(10)
  // What has no number is paid again.
  await t.stopWorkers()
  expect(await user.started()).toMatchObject({ known: 0, credits_charged: 0.3 })
})

test('a worker that is stopped in the middle of a block gives it back', async () => {
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

test('a screen that is cancelled while a block is at work gets no number and no second refund from it', async () => {
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

test('screens of two users take turns, block by block', async () => {
  const [first, second] = [
    await t.addUser({ credits: 1000, targets: 1, compounds: 1000 }),
    await t.addUser({ credits: 1000, targets: 1, compounds: 600 }),
  ]
  const screens = [await first.started(), await second.started()]
  const owners: string[] = []
  for (;;) {
    const [attempt] = await t.queue.fetch(1)
    if (attempt === undefined) break
    const { user_id } = await t.db
      .selectFrom('screen_blocks')
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

test('a screen whose user is deleted leaves nothing that stops the worker', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  await user.started()
  await t.db.deleteFrom('users').where('id', '=', user.userId).execute()
  const other = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  t.work()
  expect((await other.untilEnded((await other.started()).id)).status).toBe('DONE')
})
