import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openTestAuth, type TestAuth } from '#test/open-test-auth.ts'
import { addTestPerson } from '#test/factories.ts'

const t = await openTestAuth({ INITIAL_CREDITS: '42' })
afterAll(() => t.close())

async function loginWith(key: string) {
  const headers = { 'api-key': key }
  const answer = await t.app.inject({ method: 'POST', url: '/dta/login', headers })
  return { status: answer.statusCode, body: answer.json() }
}

const users = () =>
  t.db.selectFrom('users').innerJoin('identities', 'identities.user_id', 'users.id')

const invite = (email: string, googleId: string | null = null) =>
  addTestPerson(t.db, email, { googleId })

test('SPEC 7.1, 7.3: a Google ID token is exchanged for a key that /dta/login accepts', async () => {
  const { status, key } = await t.signIn(await t.token({ sub: 'first' }))
  expect(status).toBe(200)
  expect(key).toMatch(/^pkdex_s_[\w-]{43}$/)
  expect(await loginWith(key)).toEqual({
    status: 200,
    body: { email: 'ada@example.org', name: 'Ada' },
  })
})

test('SPEC 12.7: the first sign-in creates the user, with initial credits in the ledger', async () => {
  await t.signIn(await t.token({ sub: 'new' }))
  await t.signIn(await t.token({ sub: 'new' }))
  const created = await users()
    .selectAll('users')
    .select('issuer')
    .where('subject', '=', 'new')
    .execute()
  expect(created).toMatchObject([{ credits: 42, issuer: 'https://accounts.google.com' }])
  const rows = await t.db
    .selectFrom('ledger')
    .select(['delta', 'reason'])
    .where('user_id', '=', created[0]?.id ?? '')
    .execute()
  expect(rows).toEqual([{ delta: 42, reason: 'first sign-in' }])
})

test('ten simultaneous first sign-ins create one user', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 10 }, () => t.token({ sub: 'crowd', email: 'crowd@example.org' })),
  )
  const answers = await Promise.all(tokens.map((token) => t.signIn(token)))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const created = await t.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'crowd@example.org')
    .execute()
  expect(created).toHaveLength(1)
})

test('SPEC 12.5: a user is identified by issuer and subject, never by email', async () => {
  const one = await t.signIn(await t.token({ sub: 's1', email: 'shared@example.org', name: 'One' }))
  const two = await t.signIn(await t.token({ sub: 's2', email: 'shared@example.org', name: 'Two' }))
  expect((await loginWith(one.key)).body.name).toBe('One')
  expect((await loginWith(two.key)).body.name).toBe('Two')
})

test('SPEC 12.6: a user created by an administrator is linked by verified email, once', async () => {
  await invite('Invited@Example.org')
  const claims = { email: 'invited@example.org', hd: 'example.org' }
  await t.signIn(await t.token({ sub: 'guest', ...claims }))
  await t.signIn(await t.token({ sub: 'impostor', ...claims }))
  const found = await users()
    .select(['subject', 'google_id', 'credits'])
    .where((is) => is.or([is('subject', '=', 'guest'), is('subject', '=', 'impostor')]))
    .orderBy('credits')
    .execute()
  expect(found).toEqual([
    { subject: 'guest', google_id: 'guest', credits: 5 },
    { subject: 'impostor', google_id: 'impostor', credits: 42 },
  ])
})

test.each([
  ['gmail.com', undefined, 5],
  ['lab.example', 'LAB.example', 5],
  ['lab.example', undefined, 42],
  ['lab.example', 'other.example', 42],
  ['mail.lab.example', 'lab.example', 42],
  ['evilgmail.com', undefined, 42],
  ['gmail.com.example', 'gmail.com', 42],
])(
  'SPEC 12.6: an invitation to %s is accepted from organisation %s only if Google hosts the domain',
  async (domain, hd, credits) => {
    const sub = `${domain} of ${hd}`
    const email = `${randomUUID()}@${domain}`
    await invite(email)
    await t.signIn(await t.token({ sub, email, hd }))
    const found = await users().select('credits').where('subject', '=', sub).execute()
    expect(found).toEqual([{ credits }])
  },
)

test('SPEC 12.6: a lookalike letter after lower-casing does not match another account', async () => {
  await invite('mike@gmail.com')
  await t.signIn(await t.token({ sub: 'kelvin', email: 'mi\u212Ae@gmail.com' }))
  await t.signIn(await t.token({ sub: 'mike', email: 'MIKE@gmail.com' }))
  const found = await users()
    .select(['subject', 'credits'])
    .where('subject', 'in', ['kelvin', 'mike'])
    .orderBy('subject')
    .execute()
  expect(found).toEqual([
    { subject: 'kelvin', credits: 42 },
    { subject: 'mike', credits: 5 },
  ])
})

test('SPEC 12.6: a user created for one Google account is not linked to another by email', async () => {
  await invite('reserved@example.org', 'the-right-one')
  await t.signIn(await t.token({ sub: 'the-wrong-one', email: 'reserved@example.org' }))
  await t.signIn(await t.token({ sub: 'the-right-one', email: 'other@example.org' }))
  const linked = await users()
    .select(['users.email', 'credits'])
    .where('subject', '=', 'the-right-one')
    .execute()
  expect(linked).toEqual([{ email: 'reserved@example.org', credits: 5 }])
})

test('SPEC 12.4: an email that Google has not verified returns 403', async () => {
  for (const email_verified of [false, undefined, 'false']) {
    const answer = await t.signIn(await t.token({ sub: 'unverified', email_verified }))
    expect([answer.status, answer.message]).toEqual([403, expect.stringContaining('not verified')])
  }
})

test('SPEC 12.8: an inactive user gets 403 with a message', async () => {
  await t.signIn(await t.token({ sub: 'off' }))
  await t.db.updateTable('users').set({ is_active: false }).where('google_id', '=', 'off').execute()
  const answer = await t.signIn(await t.token({ sub: 'off' }))
  expect([answer.status, answer.message]).toEqual([403, expect.stringContaining('deactivated')])
})

function unsigned(claims: object, alg: string, sign: (text: string) => string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${encode({ alg, kid: '1', typ: 'JWT' })}.${encode(claims)}`
  return `${text}.${sign(text)}`
}

const past = (milliseconds: number) => new Date(Date.now() - milliseconds)
const forgeries: Record<string, (t: TestAuth) => Promise<string>> = {
  'another audience': () => t.token({ aud: 'client-2' }),
  'another issuer': () => t.token({ iss: 'https://accounts.example.org' }),
  'the issuer of the development identity provider': () => t.token({ iss: 'urn:pkdex:stand-in' }),
  'an expiry that has passed': () => t.token({}, { expiresAt: past(120_000) }),
  'a foreign signature': () => t.token({}, { isForeignKey: true }),
  'no subject': () => t.token({ sub: '' }),
  'no nonce': () => t.token({ nonce: undefined }),
  'a nonce of their own': () => t.token({ nonce: 'abc' }),
  'a nonce with a later expiry': () => {
    const [random, , signature] = t.nonces.mint(t.clock.now()).split('.')
    return t.token({ nonce: `${random}.${Date.now() * 2}.${signature}` })
  },
  'a nonce from last week': () => t.token({ nonce: t.nonces.mint(past(7 * 86_400_000)) }),
  'no signature (alg none)': async () => unsigned(goodClaims(), 'none', () => ''),
  'a signature with another algorithm': async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const sign = (text: string) => createSign('sha512').update(text).sign(privateKey, 'base64url')
    return unsigned(goodClaims(), 'RS512', sign)
  },
  'no token at all': async () => 'not a token',
}

function goodClaims() {
  return {
    iss: 'https://accounts.google.com',
    aud: 'client-1',
    sub: 'forged',
    email: 'ada@example.org',
    email_verified: true,
    nonce: t.nonces.mint(new Date()),
    exp: Math.floor(Date.now() / 1000) + 3600,
  }
}

test.each(Object.keys(forgeries))('SPEC 12.1: a token with %s returns 401', async (kind) => {
  const token = await forgeries[kind]?.(t)
  const answer = await t.signIn(token ?? '', `10.0.0.${Object.keys(forgeries).indexOf(kind)}`)
  expect([answer.status, answer.message]).toEqual([401, 'Google sign-in failed. Try again.'])
})

test('SPEC 12.3: a token works for one sign-in, also if it is sent twice simultaneously', async () => {
  const token = await t.token({ sub: 'replay' })
  const together = await Promise.all([t.signIn(token), t.signIn(token)])
  const statuses = together.map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401])
  expect((await t.signIn(token)).status).toBe(401)
})

test('SPEC 12.3: a used nonce with appended text is still refused', async () => {
  const nonce = t.nonces.mint(t.clock.now())
  expect((await t.signIn(await t.token({ sub: 'suffix', nonce }))).status).toBe(200)
  for (const suffix of ['.', '.x', 'x', '=', ' ']) {
    const token = await t.token({ sub: 'suffix', nonce: nonce + suffix })
    expect([suffix, (await t.signIn(token, '10.4.0.1')).status]).toEqual([suffix, 401])
  }
})

test.each(['sub', 'email', 'name', 'hd', 'nonce'])(
  'SPEC 12.1: a token with a control character in %s returns 401, not 500',
  async (claim) => {
    for (const character of ['\0', '\n', '\u009f']) {
      const value = `ada${character}@gmail.com`
      const answer = await t.signIn(
        await t.token({ sub: `control ${claim}`, [claim]: value }),
        '10.4.0.2',
      )
      expect([answer.status, answer.message]).toEqual([401, 'Google sign-in failed. Try again.'])
    }
  },
)

test('a nonce from another process on the same database is accepted', async () => {
  const { openNonces } = await import('./nonces.ts')
  const other = await openNonces(t.db)
  const nonce = other.mint(t.clock.now())
  expect((await t.signIn(await t.token({ sub: 'elsewhere', nonce }))).status).toBe(200)
})

test('SPEC 13.7: failed sign-ins of an account are rate-limited, a valid one is not', async () => {
  const sub = 'attacked'
  const statuses = []
  for (let attempt = 0; attempt < 11; attempt++) {
    const token = await t.token({ sub }, { isForeignKey: true })
    statuses.push((await t.signIn(token, `10.1.0.${attempt}`)).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  expect((await t.signIn(await t.token({ sub }))).status).toBe(200)
  t.clock.advance(15 * 60_000)
  const later = await t.signIn(await t.token({ sub }, { isForeignKey: true }), '10.1.1.1')
  expect(later.status).toBe(401)
})

test('SPEC 13.7: claims of a forged token are not trusted, but the attempt is counted', async () => {
  const forge = (sub: string) =>
    `${['{"alg":"RS256"}', JSON.stringify({ sub })].map((part) => Buffer.from(part).toString('base64url')).join('.')}.AAAA`
  const statuses = []
  for (let attempt = 0; attempt < 11; attempt++) {
    statuses.push((await t.signIn(forge('a\u0000b'), `10.3.0.${attempt}`)).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  const kept = await t.db.selectFrom('sign_in_failures').select('bucket').execute()
  expect(kept.filter(({ bucket }) => !/^user (from [\d.]+|[0-9a-f]{64})$/.test(bucket))).toEqual([])
})

test('SPEC 13.7: failed sign-ins are counted together for an IPv6 network, and for all spellings of an IPv4 address', async () => {
  const networks = [
    (attempt: number) => `2001:db8:1:2:${attempt.toString(16)}::1`,
    (attempt: number) => (attempt % 2 === 0 ? '10.5.0.1' : '::ffff:10.5.0.1'),
  ]
  for (const address of networks) {
    for (let attempt = 0; attempt < 30; attempt++) {
      expect((await t.signIn(`garbage ${attempt}`, address(attempt))).status).toBe(401)
    }
    expect((await t.signIn('garbage', address(30))).status).toBe(429)
  }
  expect((await t.signIn('garbage', '2001:db8:1:3::1')).status).toBe(401)
})

test('SPEC 13.7: failed sign-ins from an IP address are rate-limited, and 429 has Retry-After', async () => {
  for (let attempt = 0; attempt < 30; attempt++) await t.signIn(`garbage ${attempt}`, '10.2.0.1')
  const url = '/connection/verify-google'
  const answer = await t.app.inject({
    method: 'POST',
    url,
    payload: { id_token: 'garbage' },
    remoteAddress: '10.2.0.1',
  })
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(600)
})

test('SPEC 13.9: keys are stored only as SHA-256', async () => {
  const { key } = await t.signIn(await t.token({ sub: 'hashed' }))
  const rows = await t.db.selectFrom('keys').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(key.slice(20))
  expect(rows.every(({ hash }) => hash.length === 32)).toBe(true)
})
