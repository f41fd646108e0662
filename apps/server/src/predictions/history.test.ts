/** The list of past predictions: what it says, whose it is, page by page and as a table. */
import { listHistory } from '@pkdex/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addPair, openTestPredictions, type TestPredictions } from './open-test-predictions.ts'
import { openTestUser, type TestUser } from './open-test-user.ts'

let t: TestPredictions
beforeAll(async () => {
  t = await openTestPredictions()
})
afterEach(() => t.reset())
afterAll(() => t.close())

test('the history says of each prediction what it was of, what came of it and what it cost', async () => {
  const user = await openTestUser(t, 5)
  const waitingId = await user.askForTask()
  t.work()
  await user.untilEnded(waitingId)
  const { predictions, total } = await read(user)
  expect(total).toBe('1')
  expect(predictions).toEqual([
    {
      task_id: waitingId,
      target: user.pair.target,
      chain: 'A',
      compound: user.pair.compound,
      status: 'SUCCESS',
      message: null,
      predicted_kd: 7,
      lower: 5,
      upper: 9,
      model_version: 'test-1',
      credits_charged: 1,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
})

test('a failed prediction says why and cost nothing, and one under way has no number', async () => {
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
      status: 'FAILURE',
      message: 'Its target or compound was deleted; what the prediction cost was returned.',
      credits_charged: 0,
    },
  ])
})

test('newest first, every prediction stands on exactly one page', async () => {
  const user = await openTestUser(t, 10)
  const asked = await askFor(user, 5)
  const pages = await Promise.all([1, 2, 3].map((page) => read(user, `page=${page}&page_size=2`)))
  expect(pages.map(({ total }) => total)).toEqual(['5', '5', '5'])
  expect(pages.flatMap(({ predictions }) => predictions.map(({ task_id }) => task_id))).toEqual(
    asked.toReversed(),
  )
})

test('a search finds parts of both names, whatever their capitals, and takes no letter for a pattern', async () => {
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

test('nobody sees what another has predicted, by list, search or table', async () => {
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

test('the table holds every prediction that matches, in the order of the list', async () => {
  const user = await openTestUser(t, 10)
  const asked = await askFor(user, 3)
  // More than are read in one go, many of the same moment.
  const { database } = t
  const shared = { user_id: user.userId, target_chain: 'A', status: 'SUCCESS' as const }
  const older = { ...shared, credits_charged: 1, created_at: new Date(0) }
  const tasks = Array.from({ length: 1200 }, () => older)
  await database.db.insertInto('tasks').values(tasks).execute()
  const lines = await table(user)
  expect(lines[0]).toBe(
    'created_at,target,chain,compound,status,predicted_kd,lower,upper,model_version,credits_charged,message,task_id',
  )
  const ids = lines.slice(1).map((line) => line.slice(-36))
  expect(ids.slice(0, 3)).toEqual(asked.toReversed())
  expect(ids).toHaveLength(1203)
  expect(new Set(ids).size).toBe(1203)
  expect(await table(user, `search=${user.pair.target}`)).toHaveLength(2)
})

/** Asks for pairs one after another; answers their tasks in that order. */
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
