/** Measured values belong to the sequence of a chain, and outlive the structure it was read from. */
import { afterAll, expect, test } from 'vitest'
import { removeUser } from '#server/admin-users/service.ts'
import { resultOf } from '#test/open-test-grid.ts'
import { addPair } from '#test/factories.ts'
import {
  openTestMeasurements,
  openTestOwner,
  type TestOwner,
} from '#test/open-test-measurements.ts'

const t = await openTestMeasurements()
t.answer = () => resultOf(6)
afterAll(() => t.close())

const list = async (user: TestOwner) => (await user.send('GET', '/measurements')).json()

test('SPEC 21.8: values survive their target, return with the same sequence, and are deleted with the account', async () => {
  const user = await openTestOwner(t)
  const other = await addPair(t.database, user.userId)
  await user.importText('CCO,1 nM\nCCN,2 nM', { target: other.target })
  const { db } = t.database
  const stored = () =>
    db.selectFrom('measurements').select('id').where('user_id', '=', user.userId).execute()
  const shown = async () =>
    (await list(user)).measurements.map(({ target, smiles }: Record<string, string>) => [
      target,
      smiles,
    ])
  const {
    id: _,
    seq: __,
    ...target
  } = await db
    .selectFrom('targets')
    .select(['id', 'seq', 'user_id', 'file_id', 'chain', 'content_hash', 'created_at'])
    .select(['segments', 'report'])
    .where('id', '=', other.targetId)
    .executeTakeFirstOrThrow()
  const add = (name: string, segments: Record<string, string[]>) => {
    const json = { segments: JSON.stringify(segments), report: JSON.stringify(target.report) }
    return db
      .insertInto('targets')
      .values({ ...target, ...json, name })
      .execute()
  }
  await db.deleteFrom('targets').where('id', '=', other.targetId).execute()
  expect(await stored()).toHaveLength(2)
  expect(await shown()).toEqual([])

  await add('another protein', { [target.chain]: ['GGGGGGGGGGGG'] })
  expect(await shown()).toEqual([])
  await add('the same again', target.segments)
  expect((await shown()).toSorted()).toEqual([
    ['the same again', 'CCN'],
    ['the same again', 'CCO'],
  ])
  await user.untilPredicted()

  const by = { administrator: 'admin@lab.example', userId: user.userId, now: new Date() }
  await removeUser(db, by)
  expect(await stored()).toEqual([])
})

test('the values of one compound on two deleted targets both return', async () => {
  const user = await openTestOwner(t)
  const { db } = t.database
  const { file_id, ...target } = await db
    .selectFrom('targets')
    .select(['user_id', 'file_id', 'chain', 'content_hash', 'created_at', 'segments', 'report'])
    .where('id', '=', user.pair.targetId)
    .executeTakeFirstOrThrow()
  const add = async (name: string) => {
    const json = {
      segments: JSON.stringify(target.segments),
      report: JSON.stringify(target.report),
    }
    await db
      .insertInto('targets')
      .values({ ...target, ...json, file_id, name })
      .execute()
  }
  await add('twin')
  await user.importText('CCO,1 nM')
  await user.importText('CCO,1 uM', { target: 'twin' })
  await db.deleteFrom('targets').where('user_id', '=', user.userId).execute()
  await add('third')
  const { measurements } = await list(user)
  expect(measurements).toMatchObject([
    { target: 'third', value: 'Kd 1 µM' },
    { target: 'third', value: 'Kd 1 nM' },
  ])
})
