import { listAudit, listCollections, readDatabaseStats } from '@pkdex/contract'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { addPair, openTestSession, TEST_PASSWORD } from '#test/factories.ts'
import { openTestAdmin } from '#test/open-test-admin.ts'
import { readTestZip } from '#test/read-test-zip.ts'

const secrets: string[] = []
const t = await openTestAdmin()
const { key, userId } = await openTestSession(t.db)
await addPair(t, userId)
await t.db.updateTable('targets').set({ name: 'ω-target' }).execute()
await t.db.updateTable('compounds').set({ name: '=HYPERLINK("x")' }).execute()
await t.db
  .updateTable('users')
  .set({ name: '+1, "quoted"\r\nline' })
  .where('id', '=', userId)
  .execute()
const { key: programmatic } = (await t.call('POST', `/admin/users/${userId}/api-key`)).json()
const { api_key } = (await t.call('GET', '/admin/auth/api-key')).json()
await t.db.insertInto('server_secrets').values({ name: 'nonce', value: 'the-secret' }).execute()
secrets.push(key, programmatic, api_key, t.administrator.token, TEST_PASSWORD, 'the-secret')
await addHashes()
afterAll(() => t.close())

/** The secrets as the database, JSON or a hex dump would write them: an export must contain none of these forms. */
async function addHashes() {
  const { rows } = await sql<{ hash: string }>`
    select encode(hash, 'hex') as hash from keys union all
    select encode(hash, 'hex') from administrator_keys union all
    select encode(hash, 'base64') from keys union all
    select password_hash from administrators`.execute(t.db)
  secrets.push(...rows.map(({ hash }) => hash))
}

const NAMES = [
  'users',
  'identities',
  'administrators',
  'api_keys',
  'files',
  'targets',
  'compounds',
  'predictions',
  'orders',
  'order_targets',
  'blocks',
  'order_rows',
  'pairs',
  'poses',
  'measurements',
  'listed_molecules',
  'own_ligands',
  'shares',
  'comments',
  'link_viewers',
  'credit_ledger',
  'previews',
  'audit_log',
]

const exported = (name: string, format = 'json') =>
  t.call('GET', `/admin/database/export/${name}?format=${format}`)

test('SPEC 7.21, 3.9: GET /admin/database/stats counts users, keys, credits and rows', async () => {
  const answer = await t.call('GET', '/admin/database/stats')
  const stats = readDatabaseStats.answer.parse(answer.json())
  const users = await t.db.selectFrom('users').select('credits').execute()
  expect(stats).toMatchObject({
    user_count: users.length,
    active_api_key_count: 1,
    total_credits: users.reduce((sum, { credits }) => sum + Number(credits), 0),
  })
  expect(Object.keys(stats.collection_stats)).toEqual(NAMES)
  expect(stats.collection_stats).toMatchObject({ users: users.length, targets: 1, files: 1 })
  expect(stats.collection_stats.predictions).toBe(0)
  expect(stats.collections.users?.size).toBeGreaterThan(8000)
  const sizes = Object.values(stats.collections).map(({ size }) => size)
  expect(stats.size).toBe(sizes.reduce((sum, size) => sum + size, 0))
  expect(stats.avgObjSize).toBeGreaterThan(0)
  expect(stats.collections.predictions?.avgObjSize).toBe(0)
})

test('a revoked key and one of a deactivated user are not active', async () => {
  const { userId } = await openTestSession(t.db)
  const count = async () =>
    (await t.call('GET', '/admin/database/stats')).json().active_api_key_count
  const before = await count()
  await t.call('POST', `/admin/users/${userId}/api-key`)
  expect(await count()).toBe(before + 1)
  await t.db.updateTable('users').set({ is_active: false }).where('id', '=', userId).execute()
  expect(await count()).toBe(before)
})

test('SPEC 7.22: GET /admin/database/collections returns the product’s own tables as a map', async () => {
  const answer = await t.call('GET', '/admin/database/collections')
  const { collections } = listCollections.answer.parse(answer.json())
  expect(Object.keys(collections)).toEqual(NAMES)
})

test.each(NAMES)(
  'SPEC 7.23, 6.7: GET /admin/database/export/%s returns its rows as JSON, NDJSON and CSV',
  async (name) => {
    const json = await exported(name)
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(json.headers['content-disposition']).toBe(`attachment; filename="${name}_export.json"`)
    const rows: Record<string, unknown>[] = json.json()
    const lines = (await exported(name, 'ndjson')).body.split('\n').slice(0, -1)
    const csv = (await exported(name, 'csv')).body
    // Each export adds a row to the audit log, anywhere in its table.
    const more = name === 'audit_log' ? 1 : 0
    const sent = new Set(lines.map((line) => JSON.stringify(JSON.parse(line))))
    expect(rows.filter((row) => !sent.has(JSON.stringify(row)))).toEqual([])
    expect(lines).toHaveLength(rows.length + more)
    const columns = csv.slice(0, csv.indexOf('\r\n')).split(',')
    expect(rows.every((row) => Object.keys(row).join() === columns.join())).toBe(true)
    expect(csv.endsWith('\r\n')).toBe(true)
  },
)

test('an export preserves numbers, timestamps, hashes and structures', async () => {
  const users: { id: string; created_at: string }[] = (await exported('users')).json()
  const user = users.find(({ id }) => id === userId)
  if (user === undefined) throw new Error('the user is not exported')
  expect(user).toMatchObject({ credits: 100, is_active: true, google_id: null })
  expect(new Date(user.created_at).toISOString()).toBe(user.created_at)
  const [target] = (await exported('targets')).json()
  expect(target).toMatchObject({ name: 'ω-target', segments: { A: ['MKVLA', 'GGH'], B: ['MKV'] } })
  expect(target.content_hash).toMatch(/^[\da-f]{64}$/)
})

test('a CSV quotes cells correctly, and no cell runs as a formula', async () => {
  const users = (await exported('users', 'csv')).body
  expect(users).toContain(`,"'+1, ""quoted""\r\nline",`)
  const compounds = (await exported('compounds', 'csv')).body
  expect(compounds).toContain(`,"'=HYPERLINK(""x"")",`)
  const ledger = (await exported('credit_ledger', 'csv')).body
  expect(ledger).toMatch(/,100,100,first sign-in,,server,/)
})

test.each(['nothing', 'keys', 'administrator_keys', 'server_secrets', 'job', 'users;'])(
  'exporting the unknown collection %s returns 404',
  async (name) => {
    const answer = await t.call('GET', `/admin/database/export/${encodeURIComponent(name)}`)
    expect([answer.statusCode, answer.json().detail]).toEqual([
      404,
      `There is no collection named “${name}”.`,
    ])
  },
)

test('an unknown format returns 400', async () => {
  expect((await exported('users', 'xml')).statusCode).toBe(400)
})

test('SPEC 7.24: GET /admin/database/export-all returns a zip of all collections, with a timestamp in its name', async () => {
  const answer = await t.call('GET', '/admin/database/export-all')
  expect(answer.headers['content-type']).toBe('application/zip')
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="pkdex_export_\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.zip"$/,
  )
  const texts = await readTestZip(answer.rawPayload)
  expect([...texts.keys()]).toEqual(NAMES.map((name) => `${name}_export.json`))
  const users = JSON.parse(texts.get('users_export.json') ?? '')
  expect(users).toEqual((await exported('users')).json())
})

test('SPEC 17.3: no hash, key, token or password is in any export', async () => {
  const zip = await readTestZip((await t.call('GET', '/admin/database/export-all')).rawPayload)
  const bodies = [...zip.values()]
  for (const name of NAMES) {
    for (const format of ['json', 'ndjson', 'csv']) bodies.push((await exported(name, format)).body)
  }
  expect(bodies.join('').length).toBeGreaterThan(10_000)
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(9)
    expect(bodies.filter((body) => body.includes(secret))).toEqual([])
  }
})

test('SPEC 17.2: exports are in the audit log, which is listed newest first, paged, and searchable', async () => {
  await exported('users', 'csv')
  await t.call('GET', '/admin/database/export-all')
  const read = async (query: string) => {
    const answer = await t.call('GET', `/admin/audit?${query}`)
    const { entries } = listAudit.answer.parse(answer.json())
    return { entries, total: Number(answer.headers['x-total-count']) }
  }
  const administrator = t.administrator.email
  const newest = await read('page=1&page_size=2')
  expect(newest.entries).toMatchObject([
    { administrator, action: 'export database', subject: 'all collections', before: null },
    { administrator, action: 'export collection', subject: 'collection users as csv' },
  ])
  const second = await read('page=2&page_size=1')
  expect([second.entries, second.total]).toEqual([newest.entries.slice(1), newest.total])
  const found = await read(`search=${encodeURIComponent('USERS as CSV')}`)
  expect(found.entries.every(({ subject }) => subject === 'collection users as csv')).toBe(true)
  expect(found.total).toBeGreaterThan(0)
  expect((await read('search=100%25')).total).toBe(0)
})

test('SPEC 17.2: the audit log can be added to, but never changed', async () => {
  const attempts = [
    sql`update audit_log set administrator = 'somebody else'`,
    sql`delete from audit_log`,
    sql`truncate audit_log`,
  ]
  for (const attempt of attempts) {
    await expect(attempt.execute(t.db)).rejects.toThrow('append-only')
  }
})

test('HEAD on an export runs no export', async () => {
  const count = async () => Number((await t.call('GET', '/admin/audit')).headers['x-total-count'])
  const before = await count()
  const { headers } = t.administrator
  const url = '/admin/database/export-all'
  expect((await t.app.inject({ method: 'HEAD', url, headers })).statusCode).toBe(405)
  expect(await count()).toBe(before)
})
