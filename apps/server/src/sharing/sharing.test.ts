/** Sharing a screen: who sees it, for how long, and what the owner and the viewer are told. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { listShared, Screen, SHARED_SCREEN_HEADER, shareScreen, SHARES_MAX } from '@pkdex/contract'
import { afterAll, expect, test } from 'vitest'
import { openTestAdministrator, openTestSession, type TestSession } from '#test/factories.ts'
import { openTestProduct } from '#test/open-test-product.ts'

const sample = await readFile(new URL('../../../../samples/1hpv.pdb', import.meta.url), 'utf8')
const t = await openTestProduct()
afterAll(() => t.close())

const open = () => openTestSession(t.db, { now: t.clock.now() })
const owner = await open()
const viewer = await open()
await t.upload(owner.headers, 'protein_pdb', 'hpv.pdb', sample)
await t.upload(owner.headers, 'drug_smiles', 'some.txt', 'CCO ethanol\nCCCO propanol')

function call(who: TestSession, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) {
  return t.app.inject({ method, url, headers: who.headers, ...(payload && { payload }) })
}

async function start(): Promise<string> {
  const request = { targets: ['hpv'], compounds: 'all' }
  return Screen.parse((await call(owner, 'POST', '/screens', request)).json()).id
}

async function share(id: string, email: string | null, exports = true) {
  const answer = await call(owner, 'POST', `/screens/${id}/shares`, { email, exports })
  return shareScreen.answer.parse(answer.json()).shares
}

const sharedWith = async (who: TestSession) =>
  listShared.answer.parse((await call(who, 'GET', '/shared')).json()).screens

test('SPEC 35.1, 35.2: a shared screen is in the list of its viewer, by name and owner, until the owner ends the share', async () => {
  const id = await start()
  const [first] = await share(id, viewer.email.toUpperCase())
  expect(first).toMatchObject({ email: viewer.email, exports: true })
  expect(await sharedWith(viewer)).toMatchObject([
    { id, owner: 'Test', targets: 1, compounds: 2, exports: true },
  ])
  const seen = Screen.parse((await call(viewer, 'GET', `/screens/${id}`)).json())
  const { shared_by, ...rest } = seen
  expect(shared_by).toEqual({ owner: 'Test', exports: true })
  expect((await call(owner, 'GET', `/screens/${id}`)).json()).toEqual({ ...rest, shared_by: null })
  const ended = await call(owner, 'DELETE', `/screens/${id}/shares/${first?.id}`)
  expect(ended.json()).toEqual({ shares: [] })
  expect(await sharedWith(viewer)).toEqual([])
  expect((await call(viewer, 'GET', `/screens/${id}`)).statusCode).toBe(404)
})

test('SPEC 35.5: sharing answers alike for known and unknown addresses', async () => {
  const id = await start()
  const emails = [viewer.email, 'nobody@elsewhere.example']
  const answers = []
  for (const email of emails) {
    const all = await share(id, email)
    const { id: shareId, ...one } = all.find((each) => each.email === email) ?? { id: '' }
    answers.push({ ...one, email: null })
    await call(owner, 'DELETE', `/screens/${id}/shares/${shareId}`)
  }
  expect(answers[0]).toEqual(answers[1])
})

test('SPEC 35.5: attack: an account with somebody’s address that no provider vouches for does not see what is shared with it', async () => {
  const id = await start()
  await share(id, viewer.email)
  const claimed = { email: viewer.email, is_email_proven: false }
  const thief = await open()
  await t.db.updateTable('users').set(claimed).where('id', '=', thief.userId).execute()
  expect(await sharedWith(thief)).toEqual([])
  expect((await call(thief, 'GET', `/screens/${id}`)).statusCode).toBe(404)
  expect(await sharedWith(viewer)).toHaveLength(1)
})

test('SPEC 35.1, 35.2: a screen shared by link opens for everyone who is signed in; who opened it is shown to the owner, and has it in the list until the share ends', async () => {
  const id = await start()
  const passer = await open()
  expect((await call(passer, 'GET', `/screens/${id}`)).statusCode).toBe(404)
  await share(id, null)
  expect(await sharedWith(passer)).toEqual([])
  for (let time = 0; time < 2; time++) {
    expect((await call(passer, 'GET', `/screens/${id}`)).statusCode).toBe(200)
  }
  expect((await call(passer, 'GET', `/screens/${id}/results`)).statusCode).toBe(200)
  expect(await sharedWith(passer)).toMatchObject([{ id, owner: 'Test', exports: true }])
  expect((await t.app.inject({ url: `/screens/${id}` })).statusCode).toBe(401)
  const { shares } = (await call(owner, 'GET', `/screens/${id}/shares`)).json()
  expect(shares).toMatchObject([{ email: null, viewers: ['Test'] }])
  // Also shared by email, it is in the list once.
  await share(id, passer.email, false)
  expect(await sharedWith(passer)).toHaveLength(1)
  await call(owner, 'DELETE', `/screens/${id}/shares/${shares[0].id}`)
  expect(await sharedWith(passer)).toMatchObject([{ id, exports: false }])
  // Sharing by link again starts without viewers.
  expect((await share(id, null)).find(({ email }) => email === null)?.viewers).toEqual([])
})

test('SPEC 35.4: without permission for downloads a viewer reads pages and gets no file', async () => {
  const id = await start()
  await share(id, viewer.email, false)
  const statusOf = async (path: string, headers = {}) =>
    (
      await t.app.inject({
        url: `/screens/${id}${path}`,
        headers: { ...viewer.headers, ...headers },
      })
    ).statusCode
  expect(await statusOf('/results')).toBe(200)
  for (const path of ['/results.csv', '/results.xlsx', '/results.sdf', '/poses.sdf']) {
    expect(await statusOf(path)).toBe(403)
  }
  expect(await statusOf('/results', { accept: 'application/x-ndjson' })).toBe(403)
  await share(id, viewer.email, true)
  expect(await statusOf('/results.csv')).toBe(200)
})

test('SPEC 35.3: a viewer who tries to change something is told to copy it', async () => {
  const id = await start()
  await share(id, viewer.email)
  const headers = { ...viewer.headers, [SHARED_SCREEN_HEADER]: id }
  const payload = { target: 'hpv', use: false }
  const refused = [
    await call(viewer, 'DELETE', `/screens/${id}?forever=true`),
    await call(viewer, 'POST', `/screens/${id}/shares`, { email: null }),
    await t.app.inject({ method: 'PUT', url: '/measurements/use', headers, payload }),
  ]
  for (const { statusCode, body } of refused) {
    expect(statusCode).toBe(403)
    expect(body).toContain('Copy it to your library')
  }
})

const openStream = async (who: TestSession, id: string) =>
  t.app.inject({ url: `/screens/${id}/events`, headers: who.headers, payloadAsStream: true })

test('SPEC 35.1: an open event stream of a viewer ends with the share', async () => {
  const id = await start()
  const [one] = await share(id, viewer.email)
  const stream = await openStream(viewer, id)
  const words = text(stream.stream())
  await call(owner, 'DELETE', `/screens/${id}/shares/${one?.id}`)
  expect(await words).toMatch(/^event: screen\n.*QUEUED.*\n\n$/)
})

test('attack: a viewer by link who is deactivated, or whose link ended, hears no more of the screen', async () => {
  const id = await start()
  const [one] = await share(id, null)
  const [gone, other] = [await open(), await open()]
  const [first, second] = [await openStream(gone, id), await openStream(other, id)]
  await t.db.updateTable('users').set({ is_active: false }).where('id', '=', gone.userId).execute()
  expect(await text(first.stream())).toMatch(/^event: screen\n.*QUEUED.*\n\n$/)
  await call(owner, 'DELETE', `/screens/${id}/shares/${one?.id}`)
  expect(await text(second.stream())).toMatch(/^event: screen\n.*QUEUED.*\n\n$/)
})

test('attack: streams and downloads that a viewer leaves unread take no place of the owner', async () => {
  const id = await start()
  await share(id, viewer.email)
  const held = []
  for (let stream = 0; stream < 10; stream++) held.push(await openStream(viewer, id))
  for (let file = 0; file < 3; file++) {
    const url = `/screens/${id}/results.csv`
    held.push(await t.app.inject({ url, headers: viewer.headers, payloadAsStream: true }))
  }
  expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))
  expect((await openStream(viewer, id)).statusCode).toBe(429)
  const started = performance.now()
  const own = await openStream(owner, id)
  expect(own.statusCode).toBe(200)
  for (const path of ['results', 'results.csv']) {
    expect((await call(owner, 'GET', `/screens/${id}/${path}`)).statusCode).toBe(200)
  }
  // A request that finds no place waits ten seconds for one.
  expect(performance.now() - started).toBeLessThan(8000)
  for (const answer of [own, ...held]) answer.stream().destroy()
})

test('SPEC 35.3: a name that now belongs to another protein or molecule is not shown to viewers', async () => {
  const id = await start()
  await share(id, viewer.email)
  const headers = { ...viewer.headers, [SHARED_SCREEN_HEADER]: id }
  const statusOf = async (url: string) => (await t.app.inject({ url, headers })).statusCode
  const urls = ['/file_manager/targets/hpv/structure', '/file_manager/compounds/ethanol']
  for (const url of urls) expect(await statusOf(url)).toBe(200)
  await call(owner, 'DELETE', '/file_manager/targets/hpv')
  await call(owner, 'DELETE', '/file_manager/compounds/ethanol')
  await t.upload(owner.headers, 'protein_pdb', 'hpv.pdb', sample.replaceAll('ILE', 'LEU'))
  await t.upload(owner.headers, 'drug_smiles', 'secret.txt', 'CCCCN ethanol')
  for (const url of urls) expect(await statusOf(url)).toBe(404)
  await call(owner, 'DELETE', '/file_manager/targets/hpv')
  await t.upload(owner.headers, 'protein_pdb', 'hpv.pdb', sample)
})

test('SPEC 35.4: a viewer copies targets, compounds and measured values into the library, and what is there already only once', async () => {
  const id = await start()
  await call(owner, 'POST', '/measurements', {
    target: 'hpv',
    text: 'ethanol;5 nM\npropanol;<20 nM',
  })
  await share(id, viewer.email, false)
  const choice = { targets: true, compounds: true, measured_values: true }
  const copy = () => call(viewer, 'POST', `/screens/${id}/copy`, choice)
  expect((await copy()).statusCode).toBe(403)
  await share(id, viewer.email, true)
  const copied = { targets: 1, compounds: 2, measured_values: 2 }
  expect((await copy()).json()).toEqual(copied)
  expect((await copy()).json()).toEqual(copied)
  const targets = (await call(viewer, 'GET', '/dta/get_protein_names')).json()
  const compounds = (await call(viewer, 'GET', '/dta/get_compound_names')).json()
  expect([targets.protein_names, compounds.compound_names.toSorted()]).toEqual([
    ['hpv'],
    ['ethanol', 'propanol'],
  ])
  const { measurements } = (await call(viewer, 'GET', '/measurements')).json()
  expect(measurements).toHaveLength(2)
  expect(measurements).toContainEqual(expect.objectContaining({ smiles: 'CCCCN', bound: null }))
  expect(measurements).toContainEqual(expect.objectContaining({ smiles: 'CCCO', bound: 'lower' }))
})

test('SPEC 35.6: an administrator sees and ends the shares of a user, and the audit log has them', async () => {
  const id = await start()
  const [one] = await share(id, viewer.email)
  const { headers, email } = await openTestAdministrator(t.db, t.clock.now())
  const url = `/admin/users/${owner.userId}/shares`
  const { shares } = (await t.app.inject({ url, headers })).json()
  expect(shares).toContainEqual(
    expect.objectContaining({ id: one?.id, screen_id: id, email: viewer.email }),
  )
  const end = () => t.app.inject({ method: 'DELETE', url: `${url}/${one?.id}`, headers })
  expect([(await end()).statusCode, (await end()).statusCode]).toEqual([200, 404])
  expect((await call(viewer, 'GET', `/screens/${id}`)).statusCode).toBe(404)
  const audit = (await t.app.inject({ url: '/admin/audit?page_size=2', headers })).json()
  expect(audit.entries).toMatchObject([
    { action: 'end share', administrator: email, before: { screen: id, with: viewer.email } },
    { action: 'share screen', administrator: 'user', after: { screen: id, exports: true } },
  ])
})

test('SPEC 35.6: deleting a viewer or a screen deletes its shares', async () => {
  const id = await start()
  const leaving = await open()
  await share(id, leaving.email)
  await call(leaving, 'DELETE', '/account', { confirm: leaving.email })
  expect((await call(owner, 'GET', `/screens/${id}/shares`)).json()).toEqual({ shares: [] })
  await share(id, viewer.email)
  // Screens in progress may have copies of its pairs.
  await t.db.updateTable('orders').set({ status: 'CANCELLED' }).execute()
  await call(owner, 'DELETE', `/screens/${id}?forever=true`)
  expect((await sharedWith(viewer)).some((one) => one.id === id)).toBe(false)
  const left = await t.db.selectFrom('shares').select('id').where('order_id', '=', id).execute()
  expect(left).toEqual([])
})

test('a screen has a limited number of shares', async () => {
  const id = await start()
  for (let at = 0; at < SHARES_MAX; at++) await share(id, `user-${at}@example.org`)
  const refused = await call(owner, 'POST', `/screens/${id}/shares`, { email: null })
  expect(refused.statusCode).toBe(409)
  expect((await call(owner, 'GET', `/screens/${id}/shares`)).json().shares).toHaveLength(SHARES_MAX)
})
