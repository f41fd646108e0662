import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { resultOf } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { openTestUser } from '#test/open-test-user.ts'
import { keepPicture } from '#server/previews/store.ts'
import { removeUser } from './service.ts'

const t = await openTestPredictions()
afterAll(() => t.close())

const remove = (userId: string) =>
  removeUser(t.database.db, { administrator: 'admin@lab.example', userId, now: new Date() })

const owned = ['keys', 'files', 'targets', 'compounds', 'tasks'] as const

async function countOwned(userId: string) {
  const counts: Record<string, number> = {}
  for (const table of owned) {
    const { count } = await t.database.db
      .selectFrom(table)
      .where('user_id', '=', userId)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = count
  }
  return counts
}

test('SPEC 17.5: deleting a user deletes keys, files, predictions and queued jobs, and keeps the ledger', async () => {
  const user = await openTestUser(t, 5)
  const taskId = await user.askForTask()
  expect(await countOwned(user.userId)).toMatchObject({ keys: 1, targets: 1, tasks: 1 })
  await remove(user.userId)
  expect(await countOwned(user.userId)).toEqual({
    keys: 0,
    files: 0,
    targets: 0,
    compounds: 0,
    tasks: 0,
  })
  expect(await t.boss.findJobs('predict', { id: taskId })).toEqual([])
  expect((await user.poll(taskId)).statusCode).toBe(401)
  const ledger = await t.database.db
    .selectFrom('ledger')
    .selectAll()
    .where('user_id', '=', user.userId)
    .execute()
  expect(ledger.map(({ delta }) => delta)).toEqual([5, -1])
  expect(JSON.stringify(ledger)).not.toContain('example.org')
})

test('SPEC 17.5: pictures of a deleted user are deleted unless another user uploaded the same file', async () => {
  const [gone, other] = [await openTestUser(t, 5), await openTestUser(t, 5)]
  const shared = { smiles: 'c1ccccc1O' }
  await addPair(t.database, other.userId, shared)
  await addPair(t.database, gone.userId, shared)
  await addPair(t.database, gone.userId, { smiles: 'CCBr' })
  const { db } = t.database
  const compounds = await db
    .selectFrom('compounds')
    .select(['standard_smiles', 'content_hash'])
    .where('user_id', '=', gone.userId)
    .where('standard_smiles', '<>', 'CCO')
    .execute()
  for (const { standard_smiles: alt, content_hash: contentHash } of compounds) {
    const picture = { body: Buffer.from('x'), mediaType: 'image/svg+xml' as const, alt }
    const key = { kind: 'molecule' as const, contentHash, theme: 'light' as const }
    await keepPicture(db, key, { picture, now: new Date() })
  }
  await remove(gone.userId)
  const left = await db.selectFrom('previews').select('alt').execute()
  expect(left.map(({ alt }) => alt)).toEqual([shared.smiles])
})

test('deleting a user during a prediction does not disturb the worker', async () => {
  const gone = await openTestUser(t, 5)
  const stays = await openTestUser(t, 5)
  const begun = Promise.withResolvers<void>()
  const deleted = Promise.withResolvers<void>()
  t.answerMs = 200
  t.workPairs(async () => {
    begun.resolve()
    await deleted.promise
    return { ok: true, result: resultOf(7) }
  })
  await gone.askForTask()
  await begun.promise
  await remove(gone.userId)
  deleted.resolve()
  const taskId = await stays.askForTask().catch(() => null)
  if (taskId !== null) await stays.untilEnded(taskId)
  expect((await stays.ask()).json().predicted_kd).toBe(7)
  expect(await countOwned(gone.userId)).toMatchObject({ tasks: 0 })
})

test('deleting a user during twenty requests leaves no task and no job', async () => {
  const user = await openTestUser(t, 50)
  const pairs = await Promise.all(Array.from({ length: 20 }, () => user.addPair()))
  const asked = pairs.map((pair) => user.ask(pair))
  await remove(user.userId)
  await Promise.all(asked)
  expect(await countOwned(user.userId)).toMatchObject({ tasks: 0, keys: 0 })
  const { rows } = await sql`select id from pgboss.job
    where state in ('created', 'retry', 'active') and id not in (select id from tasks)`.execute(
    t.database.db,
  )
  expect(rows).toEqual([])
  await t.reset()
})
