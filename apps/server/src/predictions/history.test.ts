/** The list of past predictions: contents, owner, pages and table. */
import { listHistory } from '@pkdex/contract'
import { afterAll, afterEach, expect, test } from 'vitest'
import { keepMeasurements } from '#server/measurements/store.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { addOldTasks, addPair } from '#test/factories.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser, type TestUser } from '#test/open-test-user.ts'

const t = await openTestPredictions()
afterEach(() => t.reset())
afterAll(() => t.close())

test('SPEC 23.1: the history lists each prediction with its pair, result and cost', async () => {
  const user = await openTestUser(t, 5)
  const waitingId = await user.askForTask()
  t.workPairs()
  await user.untilEnded(waitingId)
  const { predictions, total } = await read(user)
  expect(total).toBe('1')
  expect(predictions).toEqual([
    {
      task_id: waitingId,
      target: user.pair.target,
      chain: 'A',
      compound: user.pair.compound,
      smiles: 'CCO',
      measured_pk: null,
      status: 'SUCCESS',
      message: null,
      best_kd: 7,
      best_lower: 5,
      best_upper: 9,
      predicted_kd: 7,
      lower: 5,
      upper: 9,
      model_version: 'test-1',
      credits_charged: 1,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
})

test('SPEC 30.11: the history has the measured value of the pair, even if it was imported under another compound name', async () => {
  const user = await openTestUser(t, 5)
  await user.askForTask()
  const { id } = await t.database.db
    .selectFrom('targets')
    .select('id')
    .where('user_id', '=', user.userId)
    .where('name', '=', user.pair.target)
    .executeTakeFirstOrThrow()
  const value = {
    compound: 'measured under this name',
    smiles: 'CCO',
    type: 'Kd' as const,
    fingerprint: Buffer.alloc(0),
  }
  const of = { userId: user.userId, targetId: id, now: new Date(), replace: false }
  await inTransaction(t.database.db, (trx) =>
    keepMeasurements(trx, of, [
      { ...value, value: '8', pk: 8, bound: null },
      { ...value, value: '7', pk: 7, bound: null },
      { ...value, value: '> 1 nM', pk: 9, bound: 'upper' },
    ]),
  )
  const { predictions } = await read(user)
  expect(predictions).toMatchObject([{ smiles: 'CCO', measured_pk: 7.5 }])
  const [heading = '', line = ''] = await table(user)
  expect(line.split(',')[heading.split(',').indexOf('Measured pK')]).toBe('7.5')
})

test('a failed prediction says why and costs nothing, and one in progress has no value', async () => {
  const user = await openTestUser(t, 5)
  const deleted = await user.addPair()
  await user.askForTask(deleted)
  await user.askForTask()
  await remove(user, `compounds/${deleted.compound}`)
  const { predictions } = await read(user)
  expect(predictions).toMatchObject([
    { status: 'PENDING', predicted_kd: null, credits_charged: 1 },
    {
      target: deleted.target,
      compound: null,
      smiles: null,
      status: 'FAILURE',
      message: 'The target or compound was deleted. Your credits were refunded.',
      credits_charged: 0,
    },
  ])
})

test('newest first, each prediction is on exactly one page', async () => {
  const user = await openTestUser(t, 10)
  const asked = await askFor(user, 5)
  const pages = await Promise.all([1, 2, 3].map((page) => read(user, `page=${page}&page_size=2`)))
  expect(pages.map(({ total }) => total)).toEqual(['5', '5', '5'])
  expect(pages.flatMap(({ predictions }) => predictions.map(({ task_id }) => task_id))).toEqual(
    asked.toReversed(),
  )
})

test('SPEC 23.2: a search matches parts of both names, ignores case, and treats no character as a pattern', async () => {
  const user = await openTestUser(t, 10)
  const named = { target: 'ABL1 kinase', compound: '50% Imatinib', smiles: 'CCN' }
  await user.askForTask(await addPair(t.database, user.userId, named))
  await user.askForTask()
  const found = async (search: string) => {
    const { predictions, total } = await read(user, `search=${encodeURIComponent(search)}`)
    expect(total).toBe(String(predictions.length))
    return predictions.map(({ compound }) => compound)
  }
  expect(await found('abl1 K')).toEqual(['50% Imatinib'])
  expect(await found('IMAT')).toEqual(['50% Imatinib'])
  expect(await found('0%')).toEqual(['50% Imatinib'])
  expect(await found('%Im')).toEqual([])
  expect(await found('_')).toEqual([])
  expect(await found('')).toHaveLength(2)
})

test('users cannot see each other’s predictions in list, search or table', async () => {
  const owner = await openTestUser(t, 5)
  await owner.askForTask()
  const stranger = await openTestUser(t, 5)
  expect(await read(stranger)).toEqual({ predictions: [], total: '0' })
  for (const name of [owner.pair.target, owner.pair.compound]) {
    expect(await read(owner, `search=${name}`)).toMatchObject({ total: '1' })
    expect(await read(stranger, `search=${name}`)).toEqual({ predictions: [], total: '0' })
    expect(await table(stranger, `search=${name}`)).toHaveLength(1)
  }
})

test('SPEC 23.3: the CSV contains every matching prediction, in the order of the list', async () => {
  const user = await openTestUser(t, 10)
  const asked = await askFor(user, 3)
  // More rows than are read at once, many with the same timestamp.
  await addOldTasks(t.database.db, user.userId, 1200)
  const lines = await table(user)
  expect(lines[0]).toBe(
    'created_at,target,chain,compound,status,pKd,Lower 95%,Upper 95%,pKd (sequence),Lower 95% (sequence),Upper 95% (sequence),Measured pK,Model version,credits_charged,message,task_id',
  )
  const ids = lines.slice(1).map((line) => line.slice(-36))
  expect(ids.slice(0, 3)).toEqual(asked.toReversed())
  expect(ids).toHaveLength(1203)
  expect(new Set(ids).size).toBe(1203)
  expect(await table(user, `search=${user.pair.target}`)).toHaveLength(2)
})

/** Requests pairs one after another, and returns their tasks in that order. */
async function askFor(user: TestUser, count: number): Promise<string[]> {
  const ids = [await user.askForTask()]
  while (ids.length < count) ids.push(await user.askForTask(await user.addPair()))
  return ids
}

async function read(user: TestUser, query = '') {
  const answer = await t.app.inject({ url: `/history?${query}`, headers: user.headers })
  expect(answer.statusCode).toBe(200)
  const { predictions } = listHistory.answer.parse(answer.json())
  return { predictions, total: String(answer.headers['x-total-count']) }
}

async function table(user: TestUser, query = ''): Promise<string[]> {
  const answer = await t.app.inject({ url: `/history.csv?${query}`, headers: user.headers })
  expect(answer.headers['content-type']).toContain('text/csv')
  return answer.body.trimEnd().split('\r\n')
}

function remove(user: TestUser, thing: string) {
  const url = `/file_manager/${thing}`
  return t.app.inject({ method: 'DELETE', url, headers: user.headers })
}
