/** Google's side of the sign-in, served on loopback: the script, the key set, and ID tokens signed with its key. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createPrivateKey, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'

export const clientId = 'journey.apps.googleusercontent.com'
const issuer = 'https://accounts.google.com'

export type FakeGoogle = {
  settings: Record<string, string>
  /** Sets the behaviour of the script from now on. */
  behave: (behaviour: Behaviour) => void
  stop: () => Promise<void>
}

/** `signs in`: works. The others cause one failure each. */
export type Behaviour = 'signs in' | 'is gone' | 'signs for another app'

export async function startGoogle(): Promise<FakeGoogle> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let behaviour: Behaviour = 'signs in'
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`

  function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (pathname === '/certs') {
      const key = {
        ...keys.publicKey.export({ format: 'jwk' }),
        kid: 'one',
        alg: 'RS256',
        use: 'sig',
      }
      return respond(response, 'application/json', JSON.stringify({ keys: [key] }))
    }
    if (pathname === '/token') {
      return respond(
        response,
        'text/plain',
        signToken(
          keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
          claimsFor(searchParams.get('nonce'), behaviour),
        ),
      )
    }
    if (behaviour === 'is gone') return response.writeHead(503).end()
    return respond(response, 'text/javascript', script(url))
  }

  return {
    settings: {
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_SCRIPT_URL: `${url}/gsi/client`,
      GOOGLE_JWKS_URL: `${url}/certs`,
      GOOGLE_ISSUER: issuer,
    },
    behave: (next) => (behaviour = next),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function claimsFor(nonce: string | null, behaviour: Behaviour): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  const id = randomUUID()
  return {
    iss: issuer,
    aud: behaviour === 'signs for another app' ? 'another-app' : clientId,
    sub: id,
    email: `${id}@example.org`,
    email_verified: true,
    name: 'Marie',
    nonce,
    iat: now,
    exp: now + 600,
  }
}

function signToken(pem: string, claims: object): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${encode(claims)}`
  const signature = createSign('RSA-SHA256').update(signed).sign(createPrivateKey(pem), 'base64url')
  return `${signed}.${signature}`
}

/** The part of Google's script that a sign-in needs. */
function script(url: string): string {
  return `
    let settings
    window.google = { accounts: { id: {
      initialize(given) {
        settings = given
      },
      prompt() {
        fetch('${url}/token?nonce=' + encodeURIComponent(settings.nonce))
          .then((answer) => answer.text())
          .then((credential) => settings.callback({ credential }))
      },
    } } }`
}

function respond(response: ServerResponse, type: string, body: string): void {
  response.setHeader('Content-Type', type)
  response.end(body)
}
