import { changeListedMolecules, LISTED_MAX, readListedMolecules } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestPredictions } from '#test/open-test-predictions.ts'
import { countBytes } from '#server/files/service.ts'
import { changeListed, readListed, renameMakeList } from './listed.ts'

const t = await openTestPredictions()
afterAll(() => t.close())

const now = new Date(0)
const storedBytesPerUser = 1_000_000

test('SPEC 31.7: molecules stay on a target’s make list in the order they were added', async () => {
  const { userId } = await t.addUser({ credits: 0, targets: 2, compounds: 0 })
  const of = { userId, target: 'T1', now, storedBytesPerUser }
  await changeListed(t.db, { ...of, list: 'make', smiles: ['CCO', 'CCN'], listed: true })
  await changeListed(t.db, { ...of, list: 'make', smiles: ['CCO', 'CCC'], listed: true })
  await changeListed(t.db, { ...of, list: 'excluded', smiles: ['CCO'], listed: true })
  await changeListed(t.db, { ...of, list: 'make', smiles: ['CCN'], listed: false })
  const lists = await readListed(t.db, of)
  expect(readListedMolecules.answer.parse(lists)).toEqual({
    make_name: null,
    make_tags: [],
    make: ['CCO', 'CCC'],
    added_with: [null, null],
    excluded: ['CCO'],
  })
  expect(await readListed(t.db, { userId, target: 'T2' })).toEqual({
    make_name: null,
    make_tags: [],
    make: [],
    added_with: [],
    excluded: [],
  })
})

test('SPEC 31.13: a make list keeps the number that each molecule was added with', async () => {
  const { userId } = await t.addUser({ credits: 0, targets: 1, compounds: 0 })
  const change = {
    userId,
    target: 'T1',
    now,
    storedBytesPerUser,
    list: 'make' as const,
    listed: true,
  }
  const number = { predicted_kd: 8.01, lower: 6.1, upper: 9.9 }
  await changeListed(t.db, { ...change, smiles: ['CCO', 'CCN'], added_with: [number, null] })
  await changeListed(t.db, { ...change, smiles: ['CCO'], added_with: [{ ...number, lower: 0 }] })
  await changeListed(t.db, { ...change, smiles: ['CCC'] })
  const lists = await readListed(t.db, change)
  expect(lists.make).toEqual(['CCO', 'CCN', 'CCC'])
  expect(lists.added_with).toEqual([number, null, null])
})

test('a make list can have a name and tags, and its name can be removed', async () => {
  const { userId } = await t.addUser({ credits: 0, targets: 2, compounds: 0 })
  const of = { userId, target: 'T1' }
  await renameMakeList(t.db, { ...of, make_name: ' first round ' })
  expect((await readListed(t.db, of)).make_name).toBe('first round')
  expect((await readListed(t.db, { userId, target: 'T2' })).make_name).toBeNull()
  await renameMakeList(t.db, { ...of, make_tags: [' May ', 'May', ''] })
  expect(await readListed(t.db, of)).toMatchObject({ make_name: 'first round', make_tags: ['May'] })
  await renameMakeList(t.db, { ...of, make_name: ' ' })
  expect(await readListed(t.db, of)).toMatchObject({ make_name: null, make_tags: ['May'] })
})

test('a change that would exceed the limit of a list changes nothing', async () => {
  const { userId } = await t.addUser({ credits: 0, targets: 1, compounds: 0 })
  const of = { userId, target: 'T1', now, storedBytesPerUser, list: 'make' as const, listed: true }
  const smiles = Array.from({ length: LISTED_MAX }, (_, at) => `C${'C'.repeat(at)}`)
  await changeListed(t.db, { ...of, smiles })
  await expect(changeListed(t.db, { ...of, smiles: ['O'] })).rejects.toMatchObject({
    message: 'A list has at most 1,000 molecules.',
  })
  expect((await readListed(t.db, of)).make).toHaveLength(LISTED_MAX)
})

test('another user’s target has no lists', async () => {
  const { userId } = await t.addUser({ credits: 0, targets: 0, compounds: 0 })
  await expect(readListed(t.db, { userId, target: 'T1' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(changeListedMolecules.auth).toBe('user')
})

test('lists count towards the storage limit', async () => {
  const { userId } = await t.addUser({ credits: 0, targets: 1, compounds: 0 })
  const of = { userId, target: 'T1', now, list: 'make' as const, listed: true }
  const used = await countBytes(t.db, userId)
  const add = (smiles: string) =>
    changeListed(t.db, { ...of, smiles: [smiles], storedBytesPerUser: used + 10 })
  await add('CCCCCC')
  expect(await countBytes(t.db, userId)).toBe(used + 6)
  await expect(add('CCCCCCC')).rejects.toThrow('Nothing was added to the list.')
  expect(await countBytes(t.db, userId)).toBe(used + 6)
})
