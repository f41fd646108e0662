/** Comments on a screen: who reads and writes them, and what stays text. */
import {
  Comment,
  COMMENT_CHARACTERS_MAX,
  COMMENTS_MAX,
  OWN_COMMENTS_MAX,
  SHARED_SCREEN_HEADER,
} from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator, type TestSession } from '#test/factories.ts'
import { openTestComments } from '#test/open-test-comments.ts'
import { openViewers } from '#test/open-test-viewers.ts'
import { readTestZip } from '#test/read-test-zip.ts'

const t = await openTestComments({ STORED_BYTES_PER_USER: '2000000' })
afterAll(() => t.close())
const { owner, viewer, open, named, call, start, share, startShared, add, read, newsOf } = t

const textsOf = (comments: Comment[]) => comments.map(({ text }) => text)

test('SPEC 36.1: owner and viewer comment on a screen, a compound and a pair, and read each other, newest first', async () => {
  const id = await startShared()
  await add(owner, id, { text: 'Overall good' })
  await add(viewer, id, { text: 'On the compound', row: 2 })
  const pair = await add(viewer, id, { text: 'On the pair', row: 1, column: 1 })
  expect(pair).toMatchObject({
    author: 'Vera',
    is_own: true,
    row: 1,
    column: 1,
    compound: 'ethanol',
    target: 'hpv',
    edited_at: null,
  })
  const seen = await read(owner, id)
  expect(textsOf(seen)).toEqual(['On the pair', 'On the compound', 'Overall good'])
  expect(seen.map(({ is_own }) => is_own)).toEqual([false, false, true])
  expect(seen[1]).toMatchObject({ row: 2, column: null, compound: 'propanol', target: null })
  expect(textsOf(await read(owner, id, '?row=1'))).toEqual(['On the pair'])
  expect(textsOf(await read(owner, id, '?row=2&column=1'))).toEqual(['On the compound'])
  expect(textsOf(await read(owner, id, '?page=2&page_size=1'))).toEqual(['On the compound'])
  expect((await call(owner, 'GET', `/screens/${id}/comments?page_size=1`)).headers).toMatchObject({
    'x-total-count': '3',
  })
})

test('authors edit and delete their own comments', async () => {
  const id = await startShared()
  const { id: commentId } = await add(viewer, id, { text: 'frist' })
  const url = `/screens/${id}/comments/${commentId}`
  t.clock.advance(1000)
  const edited = Comment.parse((await call(viewer, 'PATCH', url, { text: ' first ' })).json())
  expect(edited).toMatchObject({ id: commentId, text: 'first' })
  expect(edited.edited_at).not.toBeNull()
  expect((await call(viewer, 'DELETE', url)).statusCode).toBe(200)
  expect((await call(viewer, 'DELETE', url)).statusCode).toBe(404)
  expect(await read(owner, id)).toEqual([])
})

test('SPEC 36.1: attack: nobody edits or deletes a comment of somebody else, the owner of the screen included', async () => {
  const id = await startShared()
  const other = await startShared()
  const comments = [await add(viewer, id, { text: 'mine' }), await add(owner, id, { text: 'ours' })]
  const before = await read(viewer, id)
  for (const { id: commentId, author } of comments) {
    const attacker = author === 'Vera' ? owner : viewer
    const authors = author === 'Vera' ? viewer : owner
    // The author, by the address of another screen.
    const tries = [
      [attacker, id],
      [authors, other],
    ] as const
    for (const [who, screen] of tries) {
      const url = `/screens/${screen}/comments/${commentId}`
      expect((await call(who, 'PATCH', url, { text: 'changed' })).statusCode).toBe(404)
      expect((await call(who, 'DELETE', url)).statusCode).toBe(404)
    }
  }
  for (const wrong of ['0', '-1', 'x', '9999999999999999999', "1'--"]) {
    const url = `/screens/${id}/comments/${encodeURIComponent(wrong)}`
    expect((await call(viewer, 'DELETE', url)).statusCode).toBe(404)
  }
  expect(await read(viewer, id)).toEqual(before)
})

test('SPEC 36.3: viewers comment, and edit and delete what they wrote, but nothing of the owner; others are refused', async () => {
  const screenId = await start()
  const { id: owners } = await add(owner, screenId, { text: 'by the owner' })
  const viewers = await openViewers(t, { owner, stranger: await open(), screenId })
  const url = `/screens/${screenId}/comments`
  for (const [who, { headers, expected }] of Object.entries(viewers)) {
    const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', id = '', text?: string) => {
      const payload = text === undefined ? undefined : { text }
      const answer = await call({ headers }, method, `${url}${id}`, payload)
      return { status: answer.statusCode, id: answer.json().id ?? owners }
    }
    const added = await ask('POST', '', who)
    const answers = [
      added,
      await ask('GET'),
      await ask('PATCH', `/${added.id}`, 'edited'),
      await ask('DELETE', `/${added.id}`),
    ]
    const status = expected === 'let in' ? 200 : expected
    expect({ who, statuses: answers.map((answer) => answer.status) }).toEqual({
      who,
      statuses: [status, status, status, status],
    })
    if (expected !== 'let in') continue
    expect((await ask('PATCH', `/${owners}`, 'edited')).status).toBe(404)
    expect((await ask('DELETE', `/${owners}`)).status).toBe(404)
  }
  expect(textsOf(await read(owner, screenId))).toEqual(['by the owner'])
})

test('attack: comments of one screen are not in another, and not in that of a stranger', async () => {
  const [id, other] = [await startShared(), await start()]
  await add(owner, id, { text: 'here', row: 1 })
  await add(owner, other, { text: 'there', row: 1 })
  expect(textsOf(await read(viewer, id, '?row=1'))).toEqual(['here'])
  const stranger = await open()
  for (const who of [viewer, stranger]) {
    const header = { headers: { ...who.headers, [SHARED_SCREEN_HEADER.toLowerCase()]: id } }
    const url = `/screens/${other}/comments`
    expect((await call(header, 'GET', url)).statusCode).toBeGreaterThanOrEqual(403)
    expect((await call(header, 'POST', url, { text: 'x' })).statusCode).toBe(404)
    expect((await call(who, 'GET', url)).statusCode).toBe(404)
    expect((await call(who, 'PUT', `/screens/${other}/seen`, { comment: null })).statusCode).toBe(
      404,
    )
  }
})

test('SPEC 36.3: a viewer whose share has ended neither reads nor writes, and is told of nothing new', async () => {
  const id = await start()
  const [one] = await share(id, viewer.email)
  const { id: commentId } = await add(viewer, id, { text: 'mine' })
  await add(owner, id, { text: 'for you' })
  expect(await newsOf(viewer, id)).toEqual({ comments: 1, has_finished: false })
  await call(owner, 'DELETE', `/screens/${id}/shares/${one?.id}`)
  const url = `/screens/${id}/comments`
  const refused = [
    await call(viewer, 'GET', url),
    await call(viewer, 'POST', url, { text: 'still here' }),
    await call(viewer, 'PATCH', `${url}/${commentId}`, { text: 'changed' }),
    await call(viewer, 'DELETE', `${url}/${commentId}`),
    await call(viewer, 'PUT', `/screens/${id}/seen`, { comment: null }),
  ]
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
  expect(await newsOf(viewer, id)).toBeUndefined()
  expect(textsOf(await read(owner, id))).toEqual(['for you', 'mine'])
  await share(id, viewer.email)
  expect(await newsOf(viewer, id)).toEqual({ comments: 1, has_finished: false })
})

test('SPEC 36.2: attack: markup, scripts and odd characters are stored as the text that was typed', async () => {
  const id = await start()
  for (const text of [
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '[x](javascript:alert(1)) javascript:alert(1)',
    'Line one\nline\ttwo',
    '\u202Ereversed\u202C and 💊',
    "'); drop table comments; --",
  ]) {
    expect((await add(owner, id, { text })).text).toBe(text)
  }
  expect((await add(owner, id, { text: 'a\r\nb\rc ' })).text).toBe('a\nb\nc')
})

test.each([
  ['no text', {}],
  ['an empty text', { text: '' }],
  ['spaces only', { text: ' \n\t ' }],
  ['a zero byte', { text: 'a\u0000b' }],
  ['an escape sequence', { text: 'a\u001B[31mb' }],
  ['too long a text', { text: 'x'.repeat(COMMENT_CHARACTERS_MAX + 1) }],
  ['a column without a row', { text: 'x', column: 1 }],
  ['a row that the screen does not have', { text: 'x', row: 3 }],
  ['a column that the screen does not have', { text: 'x', row: 1, column: 2 }],
  ['row 0', { text: 'x', row: 0 }],
  ['an unknown field', { text: 'x', author: 'Vera' }],
])('%s is refused with a sentence', async (_, body) => {
  const id = await start()
  const answer = await call(owner, 'POST', `/screens/${id}/comments`, body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json().message).toMatch(/^[A-Za-z].*\.$/)
  expect(await read(owner, id)).toEqual([])
})

test('SPEC 36.5: the longest comment fits, and counts towards the storage of its author', async () => {
  const id = await startShared()
  const used = async (who: TestSession) =>
    (await call(who, 'GET', '/file_manager/usage')).json().bytes_used
  const [mine, theirs] = [await used(viewer), await used(owner)]
  await add(viewer, id, { text: 'ü'.repeat(COMMENT_CHARACTERS_MAX) })
  expect(await used(viewer)).toBe(mine + 2 * COMMENT_CHARACTERS_MAX)
  expect(await used(owner)).toBe(theirs)
  await t.db
    .insertInto('files')
    .values({
      user_id: viewer.userId,
      file_type: 'drug_smiles',
      filename: 'large.txt',
      sha256: Buffer.from('large'),
      size_bytes: 1_990_000,
      content: Buffer.from(''),
      uploaded_at: t.clock.now(),
    })
    .execute()
  const refused = await call(viewer, 'POST', `/screens/${id}/comments`, { text: 'x'.repeat(4000) })
  expect([refused.statusCode, refused.json().message]).toEqual([
    413,
    expect.stringContaining('This comment was not saved.'),
  ])
  const [long] = await read(viewer, id)
  const url = `/screens/${id}/comments/${long?.id}`
  const edit = async (text: string) => (await call(viewer, 'PATCH', url, { text })).statusCode
  expect(await edit('ü'.repeat(COMMENT_CHARACTERS_MAX - 1))).toBe(200)
  expect(await edit('💊'.repeat(COMMENT_CHARACTERS_MAX / 2))).toBe(200)
  expect(await edit('€'.repeat(COMMENT_CHARACTERS_MAX))).toBe(413)
  await t.db.deleteFrom('files').where('filename', '=', 'large.txt').execute()
})

test('SPEC 36.5: a screen has a limited number of comments, and a viewer cannot use them all, in parallel either', async () => {
  const id = await startShared()
  const fill = (count: number, authorId: string | null) =>
    t.db
      .insertInto('comments')
      .values(
        Array.from({ length: count }, () => ({
          order_id: id,
          author_id: authorId,
          text: 'x',
          created_at: t.clock.now(),
        })),
      )
      .execute()
  await fill(OWN_COMMENTS_MAX - 1, viewer.userId)
  const parallel = await Promise.all(
    [1, 2, 3].map(() => call(viewer, 'POST', `/screens/${id}/comments`, { text: 'more' })),
  )
  expect(parallel.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
    200, 409, 409,
  ])
  await add(owner, id, { text: 'there is room for others' })
  await fill(COMMENTS_MAX - OWN_COMMENTS_MAX - 1, null)
  const full = await call(owner, 'POST', `/screens/${id}/comments`, { text: 'one too many' })
  expect([full.statusCode, full.json().message]).toEqual([
    409,
    'A screen has at most 1,000 comments. Delete one of yours first.',
  ])
})

test('SPEC 36.6: deleting a user keeps the comments without the name', async () => {
  const id = await start()
  const leaving = await named('Lea')
  await share(id, leaving.email)
  await add(leaving, id, { text: 'stays', row: 1, column: 1 })
  await add(owner, id, { text: 'for Lea' })
  await call(leaving, 'DELETE', '/account', { confirm: leaving.email })
  expect((await read(owner, id))[1]).toMatchObject({
    text: 'stays',
    author: null,
    is_own: false,
    compound: 'ethanol',
  })
  expect(await newsOf(owner, id)).toMatchObject({ comments: 1 })
  const left = t.db.selectFrom('news').select('order_id').where('user_id', '=', leaving.userId)
  expect(await left.execute()).toEqual([])
})

test('deleting a screen or its owner deletes its comments and its news', async () => {
  const id = await startShared()
  await add(viewer, id, { text: 'x' })
  // Screens in progress may have copies of its pairs.
  await t.db.updateTable('orders').set({ status: 'CANCELLED' }).execute()
  await call(owner, 'DELETE', `/screens/${id}?forever=true`)
  for (const table of ['comments', 'news'] as const) {
    const left = t.db.selectFrom(table).select('order_id').where('order_id', '=', id)
    expect(await left.execute()).toEqual([])
  }
})

test('SPEC 36.6: the export of an account contains its comments, and those on its screens, but no names in screens of others', async () => {
  const id = await startShared()
  await add(viewer, id, { text: '=cmd() of Vera', row: 1, column: 1 })
  await add(owner, id, { text: 'of Olga' })
  const tableOf = async (who: TestSession) => {
    const answer = await t.app.inject({ url: '/account/export', headers: who.headers })
    return (await readTestZip(answer.rawPayload)).get('comments.csv') ?? ''
  }
  const own = await tableOf(owner)
  expect(own).toMatch(/,1,1,ethanol,hpv,Vera,'=cmd\(\) of Vera,/)
  expect(own).toMatch(/,you,of Olga,/)
  const theirs = await tableOf(viewer)
  expect(theirs).toMatch(new RegExp(`${id},,1,1,,,you,'=cmd`))
  expect(theirs).not.toContain('of Olga')
})

test('the export of the database contains comments, with the ids of their authors', async () => {
  const id = await startShared()
  await add(viewer, id, { text: 'exported' })
  const { headers } = await openTestAdministrator(t.db, t.clock.now())
  const url = '/admin/database/export/comments?format=json'
  expect((await t.app.inject({ url, headers })).json()).toContainEqual(
    expect.objectContaining({ order_id: id, author_id: viewer.userId, text: 'exported' }),
  )
})
