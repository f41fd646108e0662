/** The poses of a screen when workers die, errors occur, the user cancels, or another user has many poses queued. */
import { PredictAnswer, ScreenRow } from '@pkdex/contract'
import type { KyselyPlugin } from 'kysely'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ManyAnswer } from '#server/poses/service.ts'
import { addPair } from '#test/factories.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { type TestScreenUser } from '#test/open-test-user.ts'
import { noStructures } from './no-structures.ts'
import { orderNumber } from './screen-table.ts'
import { writeStoredPoses } from './stored-poses.ts'

const structures = {
  ...noStructures,
  poses: {
    ...noStructures.poses,
    findReferences: async () => ({ references: [{ id: 'LIG 1 A', heavyAtoms: 30 }], own: null }),
  },
  weights: { pose: 0.1, similarity: 1 },
}

const t = await openTestPredictions({ creditsPerPrediction: 0.001, structures })
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

type Question = { smiles: string[] }

/** A feature that depends on the length of the SMILES only. */
async function placeTestRows({ smiles }: Question): Promise<ManyAnswer> {
  return {
    compounds: smiles.map((one) => ({
      relative: -1,
      similarity: (one.length % 10) / 10,
      keepsStereo: true,
      x: Float64Array.of(1, 2, 3),
    })),
  }
}

async function rowsOf(user: TestScreenUser, id: string): Promise<ScreenRow[]> {
  const rows = await user.call('GET', `/screens/${id}/results?page_size=1000`)
  return z.object({ rows: z.array(ScreenRow) }).parse(rows.json()).rows
}

function expectEachRowPlaced(rows: ScreenRow[], count: number): void {
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  expect(rows.filter((row) => !row.structure_adjusted)).toEqual([])
}

function readBlocks(id: string) {
  return t.db
    .selectFrom('blocks')
    .select(['status', 'job_id'])
    .where('order_id', '=', id)
    .where('lane', '=', 'pose')
    .orderBy('block')
    .execute()
}

function readPoses(id: string) {
  return t.db
    .selectFrom('poses')
    .select('row')
    .where('order_number', '=', orderNumber(id))
    .execute()
}

test('SPEC 29.13: a dead worker loses its block of poses to the next worker, and nothing is written twice', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 60 })
  t.work()
  const id = await user.startPlacing()
  const [lost] = await t.queue.fetch('pose', 1)
  if (lost === undefined) throw new Error('there is no job')
  await t.openTestQueue()
  t.workPoses(placeTestRows)
  const ended = await user.untilPlaced(id)
  expect(ended).toMatchObject({
    structure_status: 'DONE',
    structure_done: 60,
    structure_message: null,
  })
  const rows = await rowsOf(user, id)
  expectEachRowPlaced(rows, 60)
  // The dead worker wakes up after all.
  const others = rows.slice(0, 25).map(() => 'Not placed.')
  await t.store.finishPoses(lost, others)
  await t.store.finishPoses(lost, null)
  expect(await user.read(id)).toEqual(ended)
  expect(await rowsOf(user, id)).toEqual(rows)
})

test('SPEC 29.13: computed poses are kept even if storing them fails twice', async () => {
  // One block.
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 20 })
  t.work()
  const id = await user.startPlacing()
  const finishPoses = vi.fn<typeof t.store.finishPoses>(t.store.finishPoses)
  for (let count = 0; count < 2; count++) {
    finishPoses.mockRejectedValueOnce(new Error('no connection'))
  }
  t.workPoses(placeTestRows, { finishPoses })
  expect(await user.untilPlaced(id)).toMatchObject({
    structure_status: 'DONE',
    structure_done: 20,
  })
  expect(finishPoses).toHaveBeenCalledTimes(3)
  expectEachRowPlaced(await rowsOf(user, id), 20)
})

test('poses that cannot be computed are tried twice, then the run ends with a note', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 30 })
  t.work()
  const id = await user.startPlacing()
  const place = vi.fn<typeof placeTestRows>(async (question) => {
    // The first block has the short SMILES.
    if (question.smiles.length === 25) throw new Error('a thread died')
    return placeTestRows(question)
  })
  t.workPoses(place)
  expect(await user.untilPlaced(id)).toMatchObject({
    structure_status: 'DONE',
    structure_done: 30,
    structure_message: 'Poses failed because of a server error.',
  })
  expect(place).toHaveBeenCalledTimes(3)
  const rows = await rowsOf(user, id)
  expect(rows.filter((row) => row.structure_adjusted)).toHaveLength(5)
  expect(rows[0]?.structure_reason).toContain('The poses were cancelled or failed')
})

test('a block of poses without a job is failed, and the run finishes', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 60 })
  t.work()
  const id = await user.startPlacing()
  const [first] = await readBlocks(id)
  await t.boss.deleteJob('structure-block', [first?.job_id ?? ''])
  t.workPoses(placeTestRows)
  expect(await user.untilPlaced(id)).toMatchObject({
    structure_status: 'DONE',
    structure_done: 60,
  })
  const rows = await rowsOf(user, id)
  expect(rows.filter((row) => row.structure_adjusted)).toHaveLength(35)
})

test('a run cancelled during a block stores nothing of it', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 60 })
  t.work()
  const id = await user.startPlacing()
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  t.workPoses(async (question) => {
    begun.resolve()
    await released.promise
    return placeTestRows(question)
  })
  await begun.promise
  await user.call('DELETE', `/screens/${id}`)
  const cancelled = await user.read(id)
  released.resolve()
  await t.stopWorkers()
  expect(await user.read(id)).toEqual(cancelled)
  expect(cancelled).toMatchObject({
    status: 'DONE',
    structure_status: 'FAILED',
    structure_done: 0,
    structure_message: expect.stringContaining('Cancelled.'),
  })
  const statuses = (await readBlocks(id)).map(({ status }) => status)
  expect(statuses).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
  expect(await readPoses(id)).toEqual([])
  expect(await t.queue.fetch('pose', 1)).toEqual([])
})

test('deleting a user during pose placement does not disturb the worker', async () => {
  const [gone, other] = [
    await t.addUser({ credits: 100, targets: 1, compounds: 30 }),
    await t.addUser({ credits: 100, targets: 1, compounds: 30 }),
  ]
  t.work()
  await gone.startPlacing()
  const id = await other.startPlacing()
  await t.db.deleteFrom('users').where('id', '=', gone.userId).execute()
  t.workPoses(placeTestRows)
  expect((await other.untilPlaced(id)).structure_status).toBe('DONE')
})

test('a screen deleted while its poses are written, after any statement, ends their file without an error', async () => {
  t.work()
  t.workPoses(placeTestRows)
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 3 })
  const writeStored = async (_userId: string, poses: object[]) => `${poses.length} poses`
  const written: string[] = []
  for (let last = 1; last <= 4; last += 1) {
    const screenId = await user.startPlacing()
    await user.untilPlaced(screenId)
    let statements = 0
    const deleting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements += 1
        if (statements === last) {
          await t.db.deleteFrom('orders').where('id', '=', screenId).execute()
        }
        return result
      },
    }
    const dependencies = { db: t.db.withPlugin(deleting), poses: { writeStored } }
    const targets = [{ name: 'T1', chain: 'A', place: 0 }]
    const file = { userId: user.userId, screenId, targets }
    for await (const piece of writeStoredPoses(dependencies, file)) written.push(piece)
  }
  expect(written).toEqual(['0 poses', '3 poses', '3 poses'])
})

test('rows that a turn has no time for wait behind another user’s poses, and none is lost', async () => {
  const [slow, quick] = [
    await t.addUser({ credits: 100, targets: 1, compounds: 28 }),
    await t.addUser({ credits: 100, targets: 1, compounds: 3 }),
  ]
  t.work()
  const first = await slow.startPlacing()
  const placed: number[] = []
  const late = Promise.withResolvers<string>()
  t.workPoses(async ({ smiles }) => {
    placed.push(smiles.length)
    if (placed.length === 3) late.resolve(await quick.startPlacing())
    return placeTestRows({ smiles: smiles.length > 3 ? smiles.slice(0, 10) : smiles })
  })
  await quick.untilPlaced(await late.promise)
  const ended = await slow.untilPlaced(first)
  expect(ended).toMatchObject({ structure_status: 'DONE', structure_total: 28, structure_done: 28 })
  // The block of 25, that of 3, and what was left of the first; the other user's 3 come between.
  expect(placed).toEqual([25, 3, 15, 3, 5])
  expectEachRowPlaced(await rowsOf(slow, first), 28)
  expect((await readPoses(first)).map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 28 }, (_, at) => at),
  )
})

test('a row without a molecule at the end of a turn is not tried again', async () => {
  const user = await t.addUser({ credits: 100, targets: 1, compounds: 4 })
  t.work()
  const { id } = await user.started({
    targets: user.targets,
    compounds: ['C1', 'unknown', 'C2', 'C3', 'C4', 'unknown too'],
    structure: true,
  })
  const asked: number[] = []
  t.workPoses(async ({ smiles }) => {
    asked.push(smiles.length)
    return placeTestRows({ smiles: smiles.slice(0, 1) })
  })
  expect(await user.untilPlaced(id)).toMatchObject({ structure_status: 'DONE', structure_done: 4 })
  expect(asked).toEqual([4, 3, 2, 1])
})

test('SPEC 29.14: a small screen does not wait for another user’s 5,000 poses', async () => {
  const [large, small] = [
    await t.addUser({ credits: 100, targets: 1, compounds: 5000 }),
    await t.addUser({ credits: 100, targets: 1, compounds: 30 }),
  ]
  t.work()
  const first = await large.startPlacing()
  const placed: number[] = []
  const late = Promise.withResolvers<string>()
  t.workPoses(async (question) => {
    placed.push(question.smiles.length)
    // The other user starts when part of the large run is done.
    if (placed.length === 4) late.resolve(await small.startPlacing())
    return placeTestRows(question)
  })
  const ended = await small.untilPlaced(await late.promise)
  expect(ended).toMatchObject({ structure_status: 'DONE', structure_done: 30 })
  const { structure_status, structure_done: done } = await large.read(first)
  expect(structure_status).toBe('RUNNING')
  // Blocks take turns: at most two more of the large run, plus one that was fetched in the meantime.
  expect(done).toBeLessThanOrEqual((4 + 3) * 25)
  await large.call('DELETE', `/screens/${first}`)
})

test('SPEC 29.23: the pose of a single pair comes before those of screens, and its result says that it is on its way', async () => {
  const user = await t.addUser({ credits: 200, targets: 1, compounds: 60 })
  t.work()
  const first = await user.startPlacing()
  t.workPoses(placeTestRows)
  await user.untilPlaced(first)
  await t.stopWorkers()
  t.work()
  const other = await user.startPlacing()
  const [target = ''] = user.targets
  const { compound } = await addPair(t.database, user.userId, { smiles: 'CCCCOCC' })
  t.answerMs = 300
  const predict = async () => {
    const payload = { protein_id: target, compound_id: compound }
    const answer = await user.call('POST', '/dta/predict', { payload })
    return PredictAnswer.parse(answer.json())
  }
  const waiting = await vi.waitFor(async () => {
    const answer = await predict()
    if (!('result' in answer)) throw new Error('not predicted yet')
    return answer.result
  }, 20_000)
  expect(waiting?.is_being_placed).toBe(true)
  expect(waiting?.best_estimate?.predicted_kd).toBe(waiting?.predicted_kd)
  const placed: number[] = []
  t.workPoses(async (question) => {
    placed.push(question.smiles.length)
    return placeTestRows(question)
  })
  await user.untilPlaced(other)
  expect(placed).toEqual([1, 25, 25, 10])
  const answer = await predict()
  const { result } = 'result' in answer ? answer : {}
  expect(result?.is_being_placed).toBeUndefined()
  expect(result?.best_estimate?.pose).toBeDefined()
})

test('SPEC 29.23: a pair predicted before the screen on its target is placed once it is asked for again', async () => {
  const user = await t.addUser({ credits: 200, targets: 1, compounds: 30 })
  const [target = ''] = user.targets
  const { compound } = await addPair(t.database, user.userId, { smiles: 'CCCCOCC' })
  t.work()
  t.answerMs = 300
  const predict = async () => {
    const payload = { protein_id: target, compound_id: compound }
    const answer = PredictAnswer.parse(
      (await user.call('POST', '/dta/predict', { payload })).json(),
    )
    if (!('result' in answer) || answer.result === undefined) throw new Error('not predicted yet')
    return answer.result
  }
  const alone = await vi.waitFor(predict, 20_000)
  expect(alone.is_being_placed).toBeUndefined()
  const compounds = Array.from({ length: 30 }, (_, at) => `C${at + 1}`)
  const screen = await user.started({ targets: [target], compounds, structure: true })
  t.workPoses(placeTestRows)
  await user.untilPlaced(screen.id)
  await t.stopWorkers()
  const first = await predict()
  expect([first.is_being_placed, first.best_estimate?.pose]).toEqual([true, undefined])
  await predict()
  const placed: number[] = []
  t.workPoses(async (question) => {
    placed.push(question.smiles.length)
    return placeTestRows(question)
  })
  await vi.waitFor(async () => expect((await predict()).best_estimate?.pose).toBeDefined(), 20_000)
  expect((await predict()).is_being_placed).toBeUndefined()
  expect(placed).toEqual([1])
})
