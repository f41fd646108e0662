/** Signing in with several providers, and the attacks on that. */
import type { OidcFlow } from '@pkdex/contract'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addTestPerson } from '#test/factories.ts'
import { openTestAuth } from '#test/open-test-auth.ts'
import { openTestProvider, settingOf } from '#test/open-test-provider.ts'
import { removeUser, updateUser } from '#server/admin-users/service.ts'
import { mintKey } from '#server/auth/keys.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'

const publicUrl = 'https://pkdex.example'
const trusted = await openTestProvider(publicUrl)
const other = await openTestProvider(publicUrl)
const t = await openTestAuth({
  INITIAL_CREDITS: '42',
  PUBLIC_URL: publicUrl,
  OIDC_PROVIDERS: JSON.stringify([
    settingOf(trusted, 'Lab', { trusts_email: true }),
    settingOf(other, 'Other'),
  ]),
})
afterAll(async () => {
  await Promise.all([t.close(), trusted.close(), other.close()])
})
let people = 0
let email = ''
beforeEach(() => {
  people += 1
  email = `person-${people}@lab.example`
  for (const provider of [trusted, other]) {
    const sub = `${provider === trusted ? 'lab' : 'other'}-${people}`
    provider.person = { sub, email, email_verified: true, name: 'Ada' }
    provider.change = null
  }
})

type Method = 'GET' | 'POST' | 'DELETE'

async function ask(method: Method, url: string, key: string, payload?: object) {
  const headers = { 'api-key': key }
  const answer = await t.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, ...answer.json() }
}

type Begun = { url: string; flow: OidcFlow }

/** Signs in, at first or again, and returns the session's key. */
async function signIn(provider: 'Lab' | 'Other'): Promise<string> {
  t.clock.advance(1)
  const begun: Begun = await ask('POST', '/connection/oidc', '', { provider })
  const { search: parameters } = await trusted.visit(begun.url)
  const body = { provider, flow: begun.flow, parameters }
  return (await ask('POST', '/connection/oidc/finish', '', body)).api_key
}

async function google(sub = `google-${people}`, claims = {}): Promise<string> {
  t.clock.advance(1)
  return (await t.signIn(await t.token({ sub, email, hd: 'lab.example', ...claims }))).key
}

async function begin(provider: 'Lab' | 'Other', key: string) {
  t.clock.advance(1)
  const { url, flow }: Begun = await ask('POST', '/account/sign-ins/begin', key, { provider })
  const { search: parameters } = await trusted.visit(url)
  return { provider, flow, parameters }
}

const add = async (provider: 'Lab' | 'Other', key: string) =>
  ask('POST', '/account/sign-ins', key, await begin(provider, key))

const list = (key: string) => ask('GET', '/account/sign-ins', key)

const whoIs = async (key: string) => {
  const [account] = await t.db
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .select(['users.id', 'credits', 'google_id'])
    .where('keys.prefix', '=', key.slice(0, 14))
    .execute()
  if (account === undefined) throw new Error('no such key')
  return account
}

const idOf = async (key: string) => (await whoIs(key)).id

const remove = async (provider: string, key: string) => {
  const { sign_ins } = await list(key)
  const { id } = sign_ins.find((one: { provider: string }) => one.provider === provider)
  return ask('DELETE', `/account/sign-ins/${id}`, key)
}

test('SPEC 34.5: a second provider is added while signed in, and either one signs in as the same user', async () => {
  other.person.email = 'ada@elsewhere.example'
  const key = await signIn('Lab')
  expect(await list(key)).toMatchObject({
    sign_ins: [{ provider: 'Lab', email }],
    providers: ['Other'],
    google_nonce: expect.any(String),
  })
  expect(await add('Other', key)).toMatchObject({
    status: 200,
    message: 'You can now sign in with Other, too.',
  })
  expect(await idOf(await signIn('Other'))).toBe(await idOf(key))
  t.clock.advance(1)
  const { google_nonce: nonce } = await list(key)
  const id_token = await t.token({ sub: `g-${people}`, email: 'ada@gmail.com', nonce })
  expect((await ask('POST', '/account/sign-ins', key, { id_token })).status).toBe(200)
  expect(await whoIs(await google(`g-${people}`))).toEqual({
    id: await idOf(key),
    credits: 42,
    google_id: `g-${people}`,
  })
  expect(await list(key)).toMatchObject({
    sign_ins: [
      { provider: 'Lab', email },
      { provider: 'Other', email: 'ada@elsewhere.example' },
      { provider: 'Google', email },
    ],
    providers: [],
    google_nonce: null,
  })
})

test('SPEC 34.6: a trusted, verified address of a second provider links the account by itself', async () => {
  const key = await google()
  expect(await idOf(await signIn('Lab'))).toBe(await idOf(key))
  expect((await list(key)).sign_ins).toHaveLength(2)
})

test('SPEC 34.6: an unproven address links nothing, in whichever order', async () => {
  const mine = await idOf(await google())
  trusted.person.email_verified = false
  const refused: Begun = await ask('POST', '/connection/oidc', '', { provider: 'Lab' })
  const { search } = await trusted.visit(refused.url)
  const body = { provider: 'Lab', flow: refused.flow, parameters: search }
  expect((await ask('POST', '/connection/oidc/finish', '', body)).status).toBe(403)
  expect(await idOf(await signIn('Other'))).not.toBe(mine)
  // Somebody waits at a provider that is not trusted, under the address of another person.
  email = `victim-${people}@lab.example`
  other.person = { sub: `waits-${people}`, email, email_verified: true, name: 'Eve' }
  trusted.person = { sub: `victim-${people}`, email, email_verified: true, name: 'Ada' }
  const attacker = await idOf(await signIn('Other'))
  expect(await idOf(await signIn('Lab'))).not.toBe(attacker)
  // An address that a provider only once vouched for proves nothing any more.
  expect(await idOf(await google(`late-${people}`, { hd: 'else.example' }))).not.toBe(attacker)
})

test('SPEC 34.6: a second person of the same provider is not linked by the address of the first', async () => {
  const first = await idOf(await signIn('Lab'))
  trusted.person.sub = `successor-${people}`
  expect(await idOf(await signIn('Lab'))).not.toBe(first)
})

test('SPEC 34.5: an identity of another account, or one reserved by an administrator, is not added', async () => {
  other.person.email = 'eve@elsewhere.example'
  const owner = await signIn('Other')
  const key = await signIn('Lab')
  expect(await add('Other', key)).toMatchObject({
    status: 409,
    message: 'This Other account belongs to another user of this server.',
  })
  await addTestPerson(t.db, `reserved-${people}@lab.example`, { googleId: `reserved-${people}` })
  const { google_nonce: nonce } = await list(key)
  const id_token = await t.token({ sub: `reserved-${people}`, nonce })
  expect((await ask('POST', '/account/sign-ins', key, { id_token })).status).toBe(409)
  expect(await add('Lab', key)).toMatchObject({
    status: 409,
    message: 'You sign in with this Lab account already.',
  })
  trusted.person.sub = `another-${people}`
  expect(await add('Lab', key)).toMatchObject({
    status: 409,
    message: 'You sign in with another Lab account. Remove it first.',
  })
  expect((await list(key)).sign_ins).toHaveLength(1)
  expect((await list(owner)).sign_ins).toHaveLength(1)
})

test('SPEC 34.5: what one user started neither another user nor a sign-in can finish, nor the other way round', async () => {
  other.person.email = 'ada@elsewhere.example'
  const ada = await signIn('Lab')
  trusted.person = { ...trusted.person, sub: `eve-${people}`, email: 'eve@lab.example' }
  const eve = await signIn('Lab')
  const failed = { status: 400, message: 'Other sign-in failed. Try again.' }
  expect(await ask('POST', '/account/sign-ins', eve, await begin('Other', ada))).toMatchObject(
    failed,
  )
  expect((await ask('POST', '/connection/oidc/finish', '', await begin('Other', ada))).status).toBe(
    401,
  )
  const begun: Begun = await ask('POST', '/connection/oidc', '', { provider: 'Other' })
  const { search: parameters } = await trusted.visit(begun.url)
  const body = { provider: 'Other', flow: begun.flow, parameters }
  expect(await ask('POST', '/account/sign-ins', eve, body)).toMatchObject(failed)
  const { google_nonce: nonce } = await list(ada)
  const id_token = await t.token({ sub: `g-${people}`, nonce })
  expect((await ask('POST', '/account/sign-ins', eve, { id_token })).status).toBe(400)
  expect((await t.signIn(id_token)).status).toBe(401)
  for (const key of [ada, eve]) expect((await list(key)).sign_ins).toHaveLength(1)
})

test('SPEC 34.5: a wrong state and a return that was used before add nothing', async () => {
  other.person.email = 'ada@elsewhere.example'
  const key = await signIn('Lab')
  const [mine, again] = [await begin('Other', key), await begin('Other', key)]
  const wrong = new URLSearchParams(mine.parameters)
  wrong.set('state', again.flow.state)
  const forged = { ...mine, parameters: wrong.toString() }
  expect((await ask('POST', '/account/sign-ins', key, forged)).status).toBe(400)
  expect((await ask('POST', '/account/sign-ins', key, mine)).status).toBe(200)
  await remove('Other', key)
  expect((await ask('POST', '/account/sign-ins', key, mine)).status).toBe(400)
  // The provider answers with the token of the earlier return.
  other.change = (claims) => ({ ...claims, nonce: mine.flow.nonce })
  const replayed = { ...again, flow: { ...again.flow, nonce: mine.flow.nonce } }
  expect((await ask('POST', '/account/sign-ins', key, replayed)).status).toBe(400)
  expect((await list(key)).sign_ins).toHaveLength(1)
})

test('SPEC 34.7: a removed identity signs in as somebody else, without initial credits; the last one stays', async () => {
  const key = await google()
  await signIn('Lab')
  expect(await remove('Google', key)).toMatchObject({ status: 200 })
  expect(await whoIs(key)).toMatchObject({ google_id: null })
  expect(await remove('Lab', key)).toMatchObject({
    status: 409,
    message: 'This is your only sign-in. Add another one first.',
  })
  // Trusted and verified, but removed by its owner.
  const stranger = await google()
  expect(await whoIs(stranger)).toMatchObject({ credits: 0, google_id: `google-${people}` })
  expect(await idOf(stranger)).not.toBe(await idOf(key))
  const { google_nonce: nonce } = await list(key)
  const id_token = await t.token({ sub: `google-${people}`, nonce })
  expect((await ask('POST', '/account/sign-ins', key, { id_token })).status).toBe(409)
})

test('SPEC 34.7: removing a sign-in ends the other sessions of its user, and nobody else’s sign-in can be removed', async () => {
  const key = await google()
  const elsewhere = await signIn('Lab')
  trusted.person = { ...trusted.person, sub: `eve-${people}`, email: 'eve@lab.example' }
  const eve = await signIn('Lab')
  const { sign_ins } = await list(key)
  expect((await ask('DELETE', `/account/sign-ins/${sign_ins[0].id}`, eve)).status).toBe(404)
  expect((await ask('DELETE', '/account/sign-ins/x', eve)).status).toBe(404)
  await remove('Lab', key)
  expect((await list(elsewhere)).status).toBe(401)
  expect((await list(key)).status).toBe(200)
  expect((await list(eve)).status).toBe(200)
})

test('an API key sees the sign-ins and changes none', async () => {
  const session = await google()
  await signIn('Lab')
  const userId = await idOf(session)
  const key = await inTransaction(t.db, (trx) =>
    mintKey(trx, { userId, kind: 'programmatic', now: t.clock.now(), name: 'x' }),
  )
  const { sign_ins } = await list(key)
  expect(sign_ins).toHaveLength(2)
  const provider = { provider: 'Other' }
  expect((await ask('POST', '/account/sign-ins/begin', key, provider)).status).toBe(403)
  const id_token = await t.token({})
  expect((await ask('POST', '/account/sign-ins', key, { id_token })).status).toBe(403)
  expect((await ask('DELETE', `/account/sign-ins/${sign_ins[0].id}`, key)).status).toBe(403)
})

test('SPEC 34.7: the credits of a deleted account wait for its oldest sign-in only', async () => {
  const key = await google()
  await signIn('Lab')
  const userId = await idOf(key)
  await removeUser(t.db, { administrator: 'user', userId, now: t.clock.now() })
  expect(await whoIs(await google())).toMatchObject({ credits: 42 })
  email = 'changed@lab.example'
  trusted.person.email = email
  expect(await whoIs(await signIn('Lab'))).toMatchObject({ credits: 0 })
})

test('an administrator who enters another Google ID unlinks all sign-ins', async () => {
  const key = await google()
  await signIn('Lab')
  const userId = await idOf(key)
  const context = { administrator: 'admin@lab.example', userId, now: t.clock.now() }
  await updateUser(t.db, context, { googleId: `new-${people}` })
  expect((await list(key)).status).toBe(401)
  expect(await idOf(await signIn('Lab'))).not.toBe(userId)
  expect(await idOf(await google(`new-${people}`))).toBe(userId)
})
