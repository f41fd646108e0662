import type { OidcFlow } from '@pkdex/contract'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { addTestPerson } from '#test/factories.ts'
import { openTestAuth } from '#test/open-test-auth.ts'
import { openTestProvider, settingOf } from '#test/open-test-provider.ts'

const publicUrl = 'https://pkdex.example'
const trusted = await openTestProvider(publicUrl)
const other = await openTestProvider(publicUrl)
const t = await openTestAuth({
  INITIAL_CREDITS: '42',
  PUBLIC_URL: publicUrl,
  OIDC_PROVIDERS: JSON.stringify([
    settingOf(trusted, 'Lab', { trusts_email: true }),
    settingOf(other, 'Other'),
    settingOf(other, 'Limited', { domains: ['lab.example'] }),
    { name: 'Down', issuer: 'http://127.0.0.1:9', client_id: 'pkdex' },
  ]),
})
afterAll(async () => {
  await Promise.all([t.close(), trusted.close(), other.close()])
})
let people = 0
beforeEach(() => {
  people += 1
  for (const provider of [trusted, other]) {
    const sub = `person-${people}`
    provider.person = { sub, email: `${sub}@lab.example`, email_verified: true, name: 'Ada' }
    provider.change = null
    provider.isForged = false
  }
})

async function post(url: string, payload: object, headers = {}) {
  const answer = await t.app.inject({ method: 'POST', url, payload, headers })
  return { status: answer.statusCode, ...answer.json() }
}

type Begun = { url: string; flow: OidcFlow }

const begin = (provider: string): Promise<Begun> => post('/connection/oidc', { provider })

const finish = (provider: string, flow: OidcFlow, parameters: string, more = {}) =>
  post('/connection/oidc/finish', { provider, flow, parameters, ...more })

async function signIn(provider: string, more = {}) {
  const { url, flow } = await begin(provider)
  const back = await trusted.visit(url)
  return { flow, parameters: back.search, ...(await finish(provider, flow, back.search, more)) }
}

const usersOf = (subject: string) =>
  t.db
    .selectFrom('users')
    .innerJoin('identities', 'identities.user_id', 'users.id')
    .select(['users.id', 'issuer', 'users.email', 'credits', 'google_id', 'is_active'])
    .where('subject', '=', subject)
    .orderBy('credits')
    .orderBy('users.created_at')
    .execute()

const failed = (provider: string) => ({
  status: 401,
  message: `${provider} sign-in failed. Try again.`,
})

test('SPEC 34.1: the first sign-in creates a user with initial credits, known by issuer and subject; the next one finds it', async () => {
  const { sub, email } = trusted.person
  const { api_key, status } = await signIn('Lab')
  expect(status).toBe(200)
  const headers = { 'api-key': api_key }
  expect(await post('/dta/login', {}, headers)).toMatchObject({ status: 200, email, name: 'Ada' })
  expect((await signIn('Lab')).status).toBe(200)
  const one = { issuer: trusted.issuer, email, credits: 42, google_id: null }
  expect(await usersOf(sub)).toMatchObject([one])
  await signIn('Other')
  expect(await usersOf(sub)).toMatchObject([one, { ...one, issuer: other.issuer }])
})

test('SPEC 34.1: an administrator’s user is linked by a trusted, verified address only, and never as a Google ID', async () => {
  const { sub, email = '' } = trusted.person
  await addTestPerson(t.db, email)
  await addTestPerson(t.db, 'someone@else.example', { googleId: sub })
  await signIn('Other')
  trusted.person = { ...trusted.person, email_verified: false }
  expect(await signIn('Lab')).toMatchObject({
    status: 403,
    message: 'The email address of this Lab account is not verified.',
  })
  trusted.person = { ...trusted.person, email_verified: true }
  await signIn('Lab')
  expect(await usersOf(sub)).toMatchObject([
    { issuer: trusted.issuer, credits: 5, google_id: null },
    { issuer: other.issuer, credits: 42, google_id: null },
  ])
})

test('a deactivated user cannot sign in', async () => {
  await signIn('Lab')
  const [user] = await usersOf(trusted.person.sub)
  await t.db
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', user?.id ?? '')
    .execute()
  expect(await signIn('Lab')).toMatchObject({ status: 403 })
})

test('an unknown invitation creates no user', async () => {
  expect(await signIn('Lab', { invitation: 'unknown' })).toMatchObject({ status: 403 })
  expect(await usersOf(trusted.person.sub)).toEqual([])
})

test('SPEC 34.1: a provider with domains admits only their verified addresses', async () => {
  expect((await signIn('Limited')).status).toBe(200)
  other.person = { ...other.person, email: 'ada@evil-lab.example' }
  expect(await signIn('Limited')).toMatchObject({
    status: 403,
    message:
      'Only verified addresses of lab.example can sign in with Limited. ada@evil-lab.example is not one.',
  })
  const { email_verified: _, ...unsaid } = { ...other.person, email: 'ada@lab.example' }
  other.person = unsaid
  expect((await signIn('Limited')).status).toBe(403)
})

test('a provider that sends no address is named', async () => {
  const { email: _, ...without } = trusted.person
  trusted.person = without
  expect(await signIn('Lab')).toMatchObject({
    status: 403,
    message: 'Lab sent no email address.',
  })
})

test('a provider that does not say whether it verifies an address proves none', async () => {
  const { email_verified: _, ...unsaid } = other.person
  other.person = unsaid
  await signIn('Other')
  await signIn('Lab')
  const proven = await t.db
    .selectFrom('users')
    .innerJoin('identities', 'identities.user_id', 'users.id')
    .select('is_email_proven as isProven')
    .where('subject', 'in', [unsaid.sub, trusted.person.sub])
    .orderBy('users.created_at')
    .execute()
  expect(proven).toEqual([{ isProven: false }, { isProven: true }])
})

test('SPEC 34.2: keys of the provider rotate between two sign-ins', async () => {
  expect((await signIn('Lab')).status).toBe(200)
  await trusted.rotateKeys()
  expect((await signIn('Lab')).status).toBe(200)
})

test.each([
  ['is signed by another key', () => (trusted.isForged = true)],
  ['has another issuer', () => (trusted.change = (of) => ({ ...of, iss: other.issuer }))],
  ['is for another client', () => (trusted.change = (of) => ({ ...of, aud: 'another' }))],
  ['has another nonce', () => (trusted.change = (of) => ({ ...of, nonce: 'another' }))],
  ['has no nonce', () => (trusted.change = (of) => ({ ...of, nonce: undefined }))],
  ['has expired', () => (trusted.change = (of) => ({ ...of, exp: seconds() - 90 }))],
])('SPEC 34.2: an ID token that %s is refused', async (_, break_) => {
  break_()
  expect(await signIn('Lab')).toMatchObject(failed('Lab'))
  expect(await usersOf(trusted.person.sub)).toEqual([])
})

const seconds = () => Math.floor(Date.now() / 1000)

test.each([
  ['ahead', () => ({ iat: seconds() + 55 })],
  ['behind', () => ({ iat: seconds() - 3600, exp: seconds() - 55 })],
])('SPEC 34.2: the clock of the provider may be a minute %s', async (_, times) => {
  trusted.change = (of) => ({ ...of, ...times() })
  expect((await signIn('Lab')).status).toBe(200)
})

test('SPEC 34.2: a return with a wrong state, another browser’s flow or another provider’s name is refused', async () => {
  const mine = await begin('Lab')
  const theirs = await begin('Lab')
  const { search } = await trusted.visit(mine.url)
  const wrong = new URLSearchParams(search)
  wrong.set('state', theirs.flow.state)
  expect(await finish('Lab', mine.flow, wrong.toString())).toMatchObject(failed('Lab'))
  expect(await finish('Lab', theirs.flow, search)).toMatchObject(failed('Lab'))
  expect(await finish('Other', mine.flow, search)).toMatchObject(failed('Other'))
  const stolen = { ...mine.flow, verifier: theirs.flow.verifier }
  expect(await finish('Lab', stolen, search)).toMatchObject(failed('Lab'))
})

test('SPEC 34.2: a code and its nonce work once, and only a nonce of this server works', async () => {
  const { flow, parameters } = await signIn('Lab')
  expect(await finish('Lab', flow, parameters)).toMatchObject(failed('Lab'))
  const again = await begin('Lab')
  const { search } = await trusted.visit(again.url)
  // The provider answers with a token of an earlier sign-in.
  trusted.change = (of) => ({ ...of, nonce: flow.nonce })
  const replayed = { ...again.flow, nonce: flow.nonce }
  expect(await finish('Lab', replayed, search)).toMatchObject(failed('Lab'))
  const third = await begin('Lab')
  const back = await trusted.visit(third.url)
  trusted.change = (of) => ({ ...of, nonce: 'made up' })
  const madeUp = { ...third.flow, nonce: 'made up' }
  expect(await finish('Lab', madeUp, back.search)).toMatchObject(failed('Lab'))
})

test('SPEC 34.2: no request decides where the provider sends people back', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  const { url } = await post('/connection/oidc', { provider: 'Lab' }, headers)
  expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${publicUrl}/sign-in/return`)
  const foreign = { provider: 'Lab', redirect_uri: 'https://evil.example' }
  expect((await post('/connection/oidc', foreign)).status).toBe(400)
  const changed = new URL(url)
  changed.searchParams.set('redirect_uri', 'https://evil.example/')
  await expect(trusted.visit(changed.href)).rejects.toThrow('400')
})

test('a person who declines at the provider is told so', async () => {
  const { flow } = await begin('Lab')
  const { state } = flow
  const declined = new URLSearchParams({ error: 'access_denied', state, iss: trusted.issuer })
  expect(await finish('Lab', flow, declined.toString())).toMatchObject({
    status: 403,
    message: 'You did not sign in with Lab.',
  })
})

test('SPEC 34.3: a provider that is down is named, and the others still work', async () => {
  expect(await begin('Down')).toMatchObject({
    status: 503,
    message: 'Down could not be reached. Try again later, or sign in another way.',
  })
  expect((await signIn('Lab')).status).toBe(200)
  expect(await begin('Nobody')).toMatchObject({ status: 400 })
})

test('SPEC 34.4: signing out at the provider says who signs out, and comes back to the sign-in page', async () => {
  const { id_token } = await signIn('Lab')
  const { url } = await post('/connection/oidc/sign-out', { provider: 'Lab', id_token })
  expect(url).toContain(`${trusted.issuer}/session/end?`)
  const { searchParams } = new URL(url)
  expect(searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/`)
  expect(searchParams.get('id_token_hint')).toBe(id_token)
  // The provider takes it as its own, and no other.
  expect((await fetch(url)).status).toBe(200)
  searchParams.set('id_token_hint', `${id_token}x`)
  expect((await fetch(`${trusted.issuer}/session/end?${searchParams.toString()}`)).status).toBe(400)
  const { url: without } = await post('/connection/oidc/sign-out', { provider: 'Lab' })
  expect(new URL(without).searchParams.has('id_token_hint')).toBe(false)
})
