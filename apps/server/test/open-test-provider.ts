/** A real OpenID Connect provider on this machine. It signs in `person` at once, and its tokens can be changed. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

type GeneratedKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

type Person = { sub: string; email?: string; email_verified?: boolean; name: string }

export type TestProvider = {
  issuer: string
  person: Person
  /** Changes the claims of the next ID tokens, which are signed again. */
  change: ((claims: JWTPayload) => JWTPayload) | null
  /** The next ID tokens are signed with a key that it does not publish. */
  isForged: boolean
  /** From now on it signs with another key, and publishes only that one. */
  rotateKeys(): Promise<void>
  /** What the browser does: follows redirects until the address of the product, which it returns. */
  visit(url: string): Promise<URL>
  close(): Promise<void>
}

const SECRET = 'a secret of the client'

/** The setting of the product for this provider. */
export function settingOf({ issuer }: TestProvider, name: string, more: object = {}) {
  return { name, issuer, client_id: 'pkdex', client_secret: SECRET, ...more }
}

export async function openTestProvider(publicUrl: string): Promise<TestProvider> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void
  const server = createServer((request, response) => answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const foreign = await generateKeyPair('RS256')
  const test: TestProvider = {
    issuer,
    person: { sub: 'ada', email: 'ada@lab.example', email_verified: true, name: 'Ada' },
    change: null,
    isForged: false,
    async rotateKeys() {
      answer = await openProvider(test, publicUrl, foreign.privateKey)
    },
    visit: (url) => visit(url, publicUrl),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
  await test.rotateKeys()
  return test
}

async function openProvider(test: TestProvider, publicUrl: string, foreignKey: GeneratedKey) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = randomUUID()
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(test.isForged ? foreignKey : privateKey)
  const provider = new Provider(test.issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: 'pkdex',
        client_secret: SECRET,
        redirect_uris: [`${publicUrl}/sign-in/return`],
        post_logout_redirect_uris: [`${publicUrl}/`],
      },
    ],
    cookies: { keys: ['one'] },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    findAccount: async (_: unknown, accountId: string) => ({
      accountId,
      claims: async () => test.person,
    }),
    interactions: { url: async () => '/interaction' },
    async loadExistingGrant({ oidc }: { oidc: { session: object; client: { clientId: string } } }) {
      const { accountId } = oidc.session as { accountId: string }
      const grant = new provider.Grant({ accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    await next()
    const { id_token } = Object(context.body)
    if (typeof id_token !== 'string') return
    const claims = decodeJwt(id_token)
    Object(context.body).id_token = await sign(test.change?.(claims) ?? claims)
  })
  const others = provider.callback()
  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== '/interaction') return others(request, response)
    const login = { accountId: test.person.sub }
    void provider.interactionFinished(request, response, { login })
  }
}

async function visit(start: string, publicUrl: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  while (url.origin !== publicUrl) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${answer.status}: ${await answer.text()}`)
    url = new URL(location, url)
  }
  return url
}
