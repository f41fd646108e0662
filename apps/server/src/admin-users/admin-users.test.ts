import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type AdminUser, createUser, ErrorBody, listUserFiles, readUser } from '@pkdex/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { openRawCall } from '#test/open-raw-call.ts'
import { addOldTasks, openTestAdministrator, openTestSession } from '#test/factories.ts'
import { takeCredits } from '#server/credits/service.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { INITIAL_CREDITS, openTestAdmin } from '#test/open-test-admin.ts'

const t = await openTestAdmin()
afterAll(() => t.close())

const anEmail = () => `${randomUUID()}@example.org`

async function addUser(fields: Partial<AdminUser> = {}): Promise<AdminUser> {
  const answer = await t.call('POST', '/admin/users', { email: anEmail(), ...fields })
  return createUser.answer.parse(answer.json())
}

const balanceBy = (key: string) =>
  t.app.inject({ method: 'GET', url: '/dta/credits', headers: { 'api-key': key } })

const ledgerOf = (userId: string) =>
  t.db
    .selectFrom('ledger')
    .select(['delta', 'balance_after', 'reason', 'actor'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

const auditOf = (userId: string) =>
  t.db
    .selectFrom('audit_log')
    .select(['administrator', 'action', 'before', 'after'])
    .where('subject', '=', `user ${userId}`)
    .orderBy('id')
    .execute()

test('SPEC 7.16, 3.7, 5.7: POST /admin/users creates a user from all fields, or from an email alone', async () => {
  const fields = { name: 'Ada', googleId: '1184', credits: 2.5, is_active: false, password: 'x' }
  const email = anEmail()
  const full = await t.call('POST', '/admin/users', { email, ...fields })
  const { password: _, ...kept } = fields
  expect(createUser.answer.parse(full.json())).toMatchObject({ email, ...kept })
  expect(await addUser()).toMatchObject({
    name: '',
    googleId: null,
    credits: INITIAL_CREDITS,
    is_active: true,
  })
  const stored = await t.db.selectFrom('users').selectAll().where('email', '=', email).execute()
  expect(JSON.stringify(stored)).not.toContain('password')
})

test.each([
  ['no email', { name: 'x' }],
  ['an empty email', { email: '' }],
  ['an email without a shape', { email: 'ada' }],
  ['negative credits', { email: 'a@example.org', credits: -1 }],
  ['credits beyond a thousandth', { email: 'a@example.org', credits: 0.0001 }],
  ['credits that are a text', { email: 'a@example.org', credits: '5' }],
  ['credits above the maximum', { email: 'a@example.org', credits: 1e12 }],
  ['is_active as a text', { email: 'a@example.org', is_active: 'yes' }],
  ['a name of two lines', { email: 'a@example.org', name: 'Ada\nLovelace' }],
  ['a name of 600 letters', { email: 'a@example.org', name: 'x'.repeat(600) }],
])('SPEC 5.7: creating a user with %s returns 400 and a message', async (_, payload) => {
  const answer = await t.call('POST', '/admin/users', payload)
  expect([answer.statusCode, ErrorBody.parse(answer.json()).code]).toEqual([400, 'invalid_request'])
})

test('only sign-in accepts a form body', async () => {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/admin/users',
    headers: { ...t.administrator.headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: `email=${anEmail()}`,
  })
  expect(answer.statusCode).toBe(415)
})

test('an existing email in other capitals returns 409, also for simultaneous requests', async () => {
  const { email } = await addUser()
  const again = await t.call('POST', '/admin/users', { email: email.toUpperCase() })
  expect([again.statusCode, again.json().detail]).toEqual([
    409,
    `A user with the email ${email.toUpperCase()} already exists.`,
  ])
  const one = anEmail()
  const both = await Promise.all(
    [one, one.toUpperCase()].map((wanted) => t.call('POST', '/admin/users', { email: wanted })),
  )
  expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
})

test('a Google ID belongs to one user', async () => {
  const { googleId } = await addUser({ googleId: randomUUID() })
  const again = await t.call('POST', '/admin/users', { email: anEmail(), googleId })
  expect([again.statusCode, again.json().detail]).toEqual([
    409,
    'A user with this Google ID already exists.',
  ])
})

test('SPEC 7.17: GET /admin/users/{id} returns the user', async () => {
  const user = await addUser()
  const answer = await t.call('GET', `/admin/users/${user._id}`)
  expect(readUser.answer.parse(answer.json())).toEqual(user)
})

test.each(['GET', 'PUT', 'DELETE'] as const)(
  'SPEC 8.15: %s of an unknown user returns 404, User not found',
  async (method) => {
    for (const id of [randomUUID(), 'nobody', `${randomUUID()}x`]) {
      const answer = await t.call(method, `/admin/users/${id}`, method === 'PUT' ? {} : undefined)
      expect([answer.statusCode, answer.json().detail]).toEqual([404, 'User not found'])
    }
  },
)

test.each([
  ['PUT', '/credits?credits=5'],
  ['POST', '/api-key'],
  ['GET', '/api-keys'],
  ['DELETE', `/api-keys/${randomUUID()}`],
  ['GET', '/files'],
  ['GET', '/deletion'],
] as const)('SPEC 8.15: %s …%s of an unknown user returns 404', async (method, path) => {
  const answer = await t.call(method, `/admin/users/${randomUUID()}${path}`)
  expect([answer.statusCode, ErrorBody.parse(answer.json()).code]).toEqual([404, 'not_found'])
})

test.each(['page=0', 'page_size=201', 'page=x'])(
  'a ledger or audit log with %s returns 400',
  async (query) => {
    for (const path of [`/admin/users/${randomUUID()}/ledger`, '/admin/audit']) {
      expect((await t.call('GET', `${path}?${query}`)).statusCode).toBe(400)
    }
  },
)

test('a key that expires while a slow body arrives gives no access', async () => {
  const email = anEmail()
  const other = await openTestAdministrator(t.db)
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const body = JSON.stringify({ email, credits: 777 })
  const head = [
    'POST /admin/users HTTP/1.1',
    'connection: close',
    `authorization: Bearer ${other.token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  const { socket, closed } = openRawCall(t.app, head, body.slice(0, 5))
  const [request] = await once(t.app.server, 'request')
  // The caller is authenticated before the body is read.
  await vi.waitFor(() => expect(request.listenerCount('data')).toBeGreaterThan(0), 50_000)
  await t.db.deleteFrom('administrator_keys').where('administrator_id', '=', other.id).execute()
  await pause(150)
  socket.write(body.slice(5))
  expect(await closed).toMatch(/^HTTP\/1.1 401 /)
  const made = await t.db.selectFrom('users').select('id').where('email', '=', email).execute()
  expect(made).toEqual([])
})

test('a preview counts what deleting a user would delete', async () => {
  const { userId } = await openTestSession(t.db)
  await addOldTasks(t.db, userId, 2)
  const answer = await t.call('GET', `/admin/users/${userId}/deletion`)
  const none = { files: 0, targets: 0, compounds: 0, predictions_under_way: 0 }
  expect(answer.json()).toEqual({ ...none, predictions: 2, measured_values: 0, screens: 0 })
})

test('SPEC 7.17, 5.8: PUT changes the fields it contains and no others', async () => {
  const user = await addUser({ name: 'Ada', credits: 7 })
  const url = `/admin/users/${user._id}`
  const email = anEmail()
  const renamed = await t.call('PUT', url, { email, name: 'Ada L.' })
  expect(readUser.answer.parse(renamed.json())).toEqual({ ...user, email, name: 'Ada L.' })
  const emptied = await t.call('PUT', url, { name: '', googleId: '', credits: 8.5 })
  expect(emptied.json()).toMatchObject({ email, name: '', googleId: null, credits: 8.5 })
  for (const wrong of [{ email: '' }, { email: null }, { credits: -0.5 }, { credits: null }]) {
    expect((await t.call('PUT', url, wrong)).statusCode).toBe(400)
  }
  expect((await t.call('GET', url)).json()).toMatchObject({ email, credits: 8.5 })
})

test('a user can be saved unchanged, but not with another user’s email', async () => {
  const [one, other] = [await addUser(), await addUser()]
  const { _id, created_at: _, ...fields } = one
  expect((await t.call('PUT', `/admin/users/${_id}`, fields)).json()).toEqual(one)
  const taken = await t.call('PUT', `/admin/users/${_id}`, { email: other.email.toUpperCase() })
  expect(taken.statusCode).toBe(409)
})

test('SPEC 7.19, 6.5: PUT …/credits?credits=n sets the balance; the ledger records the difference and the administrator', async () => {
  const { _id } = await addUser({ credits: 10 })
  const set = (credits: string) => t.call('PUT', `/admin/users/${_id}/credits?credits=${credits}`)
  expect((await set('4')).json()).toMatchObject({ _id, credits: 4 })
  expect((await set('4')).statusCode).toBe(200)
  expect((await set('6.25')).json()).toMatchObject({ credits: 6.25 })
  for (const wrong of ['', '-1', 'many', '1e12', 'NaN', 'Infinity', '%00']) {
    expect((await set(wrong)).statusCode).toBe(400)
  }
  expect((await t.call('PUT', `/admin/users/${_id}/credits`)).statusCode).toBe(400)
  const actor = t.administrator.email
  expect(await ledgerOf(_id)).toEqual([
    { delta: 10, balance_after: 10, reason: 'administrator', actor },
    { delta: -6, balance_after: 4, reason: 'administrator', actor },
    { delta: 2.25, balance_after: 6.25, reason: 'administrator', actor },
  ])
})

test('SPEC 6.5: setting credits during charges loses no charge and no ledger row', async () => {
  const { userId, key } = await openTestSession(t.db, { credits: 50 })
  const charge = () =>
    inTransaction(t.db, (trx) =>
      takeCredits(trx, { userId, amount: 1, reason: 'prediction', taskId: randomUUID() }),
    )
  const set = () => t.call('PUT', `/admin/users/${userId}`, { credits: 30 })
  await Promise.all([charge(), set(), charge(), charge(), set(), charge(), charge(), charge()])
  const rows = await ledgerOf(userId)
  const balance = (await balanceBy(key)).json().credits
  expect(rows.reduce((sum, { delta }) => sum + delta, 0)).toBe(balance)
  expect(rows.at(-1)?.balance_after).toBe(balance)
  expect(rows.filter(({ reason }) => reason === 'prediction')).toHaveLength(6)
  expect(balance).toBeLessThanOrEqual(30)
})

test('SPEC 7.18, 3.8: GET …/files lists the user’s uploads, newest first', async () => {
  const { userId } = await openTestSession(t.db)
  const other = await openTestSession(t.db)
  const add = (owner: string, filename: string, hoursAgo: number) =>
    t.db
      .insertInto('files')
      .values({
        user_id: owner,
        file_type: 'protein_pdb',
        filename,
        sha256: Buffer.from(filename),
        size_bytes: 1536,
        content: Buffer.from('x'),
        uploaded_at: new Date(Date.now() - hoursAgo * 3_600_000),
      })
      .execute()
  await add(userId, 'old.pdb', 5)
  await add(userId, 'new.pdb', 1)
  await add(other.userId, 'other.pdb', 1)
  const answer = await t.call('GET', `/admin/users/${userId}/files`)
  const { files } = listUserFiles.answer.parse(answer.json())
  expect(files.map(({ filename }) => filename)).toEqual(['new.pdb', 'old.pdb'])
  expect(files[0]).toMatchObject({ fileType: 'protein_pdb', size: 1536 })
  expect(Date.parse(files[0]?.uploadDate ?? '')).toBeGreaterThan(0)
  expect((await t.call('GET', `/admin/users/${randomUUID()}/files`)).statusCode).toBe(404)
})

test('GET …/ledger returns every change of the balance, newest first, in pages', async () => {
  const { _id } = await addUser({ credits: 1 })
  for (const credits of [2, 3, 4]) await t.call('PUT', `/admin/users/${_id}`, { credits })
  const page = await t.call('GET', `/admin/users/${_id}/ledger?page=2&page_size=3`)
  expect(page.headers['x-total-count']).toBe('4')
  expect(page.json().entries).toMatchObject([{ delta: 1, balance_after: 1 }])
})

test('SPEC 17.2: administrator actions are in the audit log with values before and after', async () => {
  const user = await addUser({ credits: 5 })
  const url = `/admin/users/${user._id}`
  await t.call('PUT', url, { name: 'Ada', credits: 6 })
  const { prefix } = (await t.call('POST', `${url}/api-key`)).json()
  await t.call('PUT', url, { email: 'no email' })
  await t.call('DELETE', url)
  const administrator = t.administrator.email
  expect(await auditOf(user._id)).toEqual([
    { administrator, action: 'create user', before: null, after: user },
    {
      administrator,
      action: 'update user',
      before: { name: '', credits: 5 },
      after: { name: 'Ada', credits: 6 },
    },
    {
      administrator,
      action: 'create API key',
      before: null,
      after: { key_id: expect.any(String), prefix },
    },
    {
      administrator,
      action: 'delete user',
      before: { ...user, name: 'Ada', credits: 6 },
      after: null,
    },
  ])
})
