/** What an operator reads when the server is up. */
import type { FirstAdministrator } from './auth/first-administrator.ts'
import type { Config } from './config.ts'

export function welcome(
  { host, identity }: Config,
  port: number,
  administrator: FirstAdministrator | null,
): string {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return [
    '',
    `pKdex is ready at ${address}`,
    identity.kind === 'google'
      ? 'People sign in with their Google account.'
      : 'Sign in with the development sign-in: a stand-in for Google, any e-mail address will do.',
    ...(identity.kind === 'stand-in' && identity.isExposed ? [exposedWarning] : []),
    ...(administrator === null ? [] : describeAdministrator(administrator, address)),
    '',
  ].join('\n')
}

const exposedWarning =
  'WARNING: DEV_IDENTITY=on. Anybody who reaches this address can sign in as anybody.'

function describeAdministrator({ email, password }: FirstAdministrator, address: string): string[] {
  return [
    `The first administrator signs in at ${address}/admin/login`,
    `  e-mail    ${email}`,
    password === null
      ? '  password  as set in ADMIN_PASSWORD'
      : `  password  ${password}   (shown this once, never again)`,
  ]
}
