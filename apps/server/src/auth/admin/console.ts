/** What somebody at the machine's own console may do to the accounts of administrators. */
import { z } from 'zod'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  createAdministrator,
  deleteAdministrator,
  listAdministrators,
  resetPassword,
  SERVER,
} from './administrators.ts'

type Dependencies = { db: Database; now: Date; makePassword: () => string }

const usage = `Usage: npm run admin -- <what>
  list                      who the administrators are
  create <e-mail>           makes an administrator and prints the password, this once
  reset-password <e-mail>   makes a new password, prints it this once, and ends the sessions
  delete <e-mail>           deletes an administrator, but never the last one`

/** Answers what to print. */
export async function runCommand(args: string[], dependencies: Dependencies): Promise<string> {
  const { db, now } = dependencies
  const [command = '', ...rest] = args
  switch (command) {
    case 'list':
      return describeAll(await listAdministrators(db))
    case 'create':
    case 'reset-password': {
      const password = dependencies.makePassword()
      const account = { email: readEmail(rest), password, actor: SERVER, now }
      await (command === 'create' ? createAdministrator : resetPassword)(db, account)
      return `e-mail    ${account.email}\npassword  ${account.password}   (shown this once, never again)`
    }
    case 'delete': {
      const email = readEmail(rest)
      await deleteAdministrator(db, { email, actor: SERVER, now })
      return `${email} is no administrator any more.`
    }
    default:
      throw new AppError('invalid_request', usage)
  }
}

function readEmail([email, ...more]: string[]): string {
  const read = z.email().max(320).safeParse(email)
  if (!read.success || more.length > 0) throw new AppError('invalid_request', usage)
  return read.data
}

function describeAll(administrators: { email: string; createdAt: Date }[]): string {
  if (administrators.length === 0) return 'There is no administrator yet.'
  return administrators
    .map(({ email, createdAt }) => `${email}   since ${createdAt.toISOString().slice(0, 10)}`)
    .join('\n')
}
