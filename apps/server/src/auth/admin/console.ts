/** Console commands for administrator accounts. */
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

export const usage = `Usage: npm run admin -- <command>
  list                     lists the administrators
  create <email>           creates an administrator and prints the password once
  reset-password <email>   generates a new password, prints it once and ends all sessions
  delete <email>           deletes an administrator; the last one cannot be deleted`

/** Returns the text to print. */
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
      return `email     ${account.email}\npassword  ${account.password}   (shown only once)`
    }
    case 'delete': {
      const email = readEmail(rest)
      await deleteAdministrator(db, { email, actor: SERVER, now })
      return `${email} was deleted.`
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
  if (administrators.length === 0) return 'No administrators yet.'
  return administrators
    .map(({ email, createdAt }) => `${email}   since ${createdAt.toISOString().slice(0, 10)}`)
    .join('\n')
}
