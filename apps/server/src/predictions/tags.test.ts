import { renameMakeList, type Screen } from '@pkdex/contract'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openTestPredictions } from '#test/open-test-predictions.ts'

const t = await openTestPredictions()
afterEach(() => t.stopWorkers())
afterAll(() => t.close())

test('screens and series are found by their tags', async () => {
  const user = await t.addUser({ credits: 20, targets: 2, compounds: 3 })
  const other = await t.addUser({ credits: 10, targets: 1, compounds: 3 })
  const listed = async (query: string, who = user) => {
    const { headers, json } = await who.call('GET', `/screens?${query}`)
    const ids = json<{ screens: Screen[] }>().screens.map(({ id }) => id)
    expect(headers['x-total-count']).toBe(String(ids.length))
    return ids
  }
  const tagged = (who: typeof user, id: string, tags: string[]) =>
    who.call('PATCH', `/screens/${id}`, { payload: { tags } })
  const first = await user.started({ targets: ['T1'], compounds: 'all' })
  const second = await user.started({ targets: ['T2'], compounds: 'all' })
  const theirs = await other.started()
  expect(first.tags).toEqual([])
  const answer = await tagged(user, first.id, [' MET ', 'MET', '', "d'or 100%"])
  expect(answer.json()).toMatchObject({ name: first.name, tags: ['MET', "d'or 100%"] })
  await tagged(other, theirs.id, ['MET'])
  expect((await tagged(other, first.id, [])).statusCode).toBe(404)
  expect(await listed('tag=MET')).toEqual([first.id])
  expect(await listed(new URLSearchParams({ tag: " d'or 100%" }).toString())).toEqual([first.id])
  expect(await listed('tag=ME')).toEqual([])
  const lists = t.db.updateTable('targets').set({ make_list_tags: ['MET'] })
  await lists.where('user_id', '=', user.userId).where('name', '=', 'T2').execute()
  expect(await listed('tag=MET')).toEqual([first.id])
  expect((await listed('tag=MET&kind=series')).toSorted()).toEqual([first.id, second.id].toSorted())
  expect(await listed('tag=MET', other)).toEqual([theirs.id])
  await tagged(user, first.id, [])
  expect(await listed('tag=MET')).toEqual([])
})

test('tags that are too many, too long, or contain commas are refused', async () => {
  const user = await t.addUser({ credits: 10, targets: 1, compounds: 1 })
  const { id } = await user.started()
  const eleven = Array.from({ length: 11 }, (_, at) => `tag ${at}`)
  for (const tags of [eleven, ['x'.repeat(41)], ['a,b'], ['a\u0000b'], 'MET', [1], null]) {
    const onScreen = await user.call('PATCH', `/screens/${id}`, { payload: { tags } })
    expect(onScreen.statusCode).toBe(400)
    const onList = renameMakeList.body.safeParse({ target: 'T1', make_tags: tags })
    expect(onList.success).toBe(false)
  }
  expect((await user.read(id)).tags).toEqual([])
})
