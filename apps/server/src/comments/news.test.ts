/** What is new to a user: comments by others and finished screens, until the user looks. */
import { text as readText } from 'node:stream/consumers'
import { Screen } from '@pkdex/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { openTestComments } from '#test/open-test-comments.ts'

const t = await openTestComments()
afterAll(() => t.close())
const { owner, viewer, open, call, start, share, startShared, add, newsOf, see } = t

test('SPEC 36.4: new comments of others are counted for the owner, viewers and those who commented, until they look', async () => {
  const id = await startShared()
  const [passer, reader] = [await open(), await open()]
  await share(id, null)
  await call(reader, 'GET', `/screens/${id}`)
  await add(passer, id, { text: 'by the link' })
  await add(viewer, id, { text: 'first' })
  const latest = await add(viewer, id, { text: 'second' })
  expect(await newsOf(owner, id)).toEqual({ comments: 3, has_finished: false })
  expect(await newsOf(viewer, id)).toEqual({ comments: 1, has_finished: false })
  expect(await newsOf(passer, id)).toEqual({ comments: 2, has_finished: false })
  expect(await newsOf(reader, id)).toEqual({ comments: 3, has_finished: false })
  const later = await add(viewer, id, { text: 'third, while the owner reads' })
  const news = await see(owner, id, latest.id)
  expect(news.find(({ screen_id }) => screen_id === id)).toMatchObject({ comments: 1 })
  await call(viewer, 'DELETE', `/screens/${id}/comments/${later.id}`)
  expect(await newsOf(owner, id)).toBeUndefined()
  await see(viewer, id, latest.id)
  expect(await newsOf(viewer, id)).toBeUndefined()
  expect((await call(passer, 'DELETE', '/news')).json()).toEqual({ news: [] })
  expect(await newsOf(passer, id)).toBeUndefined()
})

test('a comment of one’s own is never new, not even after a seen one of others', async () => {
  const id = await startShared()
  const theirs = await add(viewer, id, { text: 'theirs' })
  await see(owner, id, theirs.id)
  await add(owner, id, { text: 'mine' })
  expect(await newsOf(owner, id)).toBeUndefined()
})

test('attack: somebody with the address of a viewer that no provider vouches for is told of nothing', async () => {
  const id = await startShared()
  const thief = await open()
  const claimed = { email: viewer.email, is_email_proven: false }
  await t.db.updateTable('users').set(claimed).where('id', '=', thief.userId).execute()
  await add(owner, id, { text: 'for Vera' })
  expect(await newsOf(thief, id)).toBeUndefined()
  expect(await newsOf(viewer, id)).toMatchObject({ comments: 1 })
})

test('a screen says whether others may read it, and when a comment was last written', async () => {
  const id = await start()
  const state = async () => Screen.parse((await call(owner, 'GET', `/screens/${id}`)).json())
  expect(await state()).toMatchObject({ is_shared: false, comments: 0, commented_at: null })
  await share(id, null)
  const { id: written, created_at } = await add(viewer, id, { text: 'x' })
  expect(await state()).toMatchObject({ is_shared: true, comments: 1, commented_at: created_at })
  const url = `/screens/${id}/comments/${written}`
  for (const [method, comments] of [
    ['PATCH', 1],
    ['DELETE', 0],
  ] as const) {
    t.clock.advance(1000)
    await call(viewer, method, url, method === 'PATCH' ? { text: 'y' } : undefined)
    const commented_at = t.clock.now().toISOString()
    expect(await state()).toMatchObject({ comments, commented_at })
  }
  await add(viewer, id, { text: 'x' })
  const [{ screens }] = [(await call(owner, 'GET', '/screens?page_size=200')).json()]
  expect(screens.find((one: Screen) => one.id === id)).toMatchObject({ comments: 1 })
})

test('a comment arrives in the event stream of a running screen', async () => {
  const id = await startShared()
  const stream = await t.app.inject({
    url: `/screens/${id}/events`,
    headers: owner.headers,
    payloadAsStream: true,
  })
  const words = readText(stream.stream())
  await add(viewer, id, { text: 'while it runs' })
  await new Promise((resolve) => setTimeout(resolve, 900))
  await t.db.updateTable('orders').set({ status: 'DONE' }).where('id', '=', id).execute()
  const states = [...(await words).matchAll(/^data: (.*"status".*)$/gm)].map(([, data = '']) =>
    Screen.parse(JSON.parse(data)),
  )
  expect(states.map(({ comments }) => comments)).toContain(1)
  expect(states[0]).toMatchObject({ status: 'QUEUED' })
})

test('SPEC 36.4: a screen that finishes is new to its owner and viewers until they look at it; one that was cancelled is not', async () => {
  const [id, cancelled] = [await startShared(), await startShared()]
  await call(owner, 'DELETE', `/screens/${cancelled}`)
  await t.startWorker()
  const isFinished = async () =>
    expect(await newsOf(owner, id)).toEqual({ comments: 0, has_finished: true })
  await vi.waitFor(isFinished, { timeout: 60_000, interval: 200 })
  expect(await newsOf(viewer, id)).toEqual({ comments: 0, has_finished: true })
  expect(await newsOf(owner, cancelled)).toBeUndefined()
  await add(viewer, id, { text: 'done!' })
  const news = await see(owner, id, null)
  expect(news.find(({ screen_id }) => screen_id === id)).toMatchObject({
    comments: 1,
    has_finished: false,
  })
  await call(viewer, 'DELETE', '/news')
  expect(await newsOf(viewer, id)).toBeUndefined()
})
