/** Administrator accounts, separate from users. At least one always remains. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { recordAction } from '#server/audit/service.ts'
import { forgetFailures } from '#server/auth/failed-sign-ins.ts'
import { hashPassword } from './passwords.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'

/** The actor of commands at the server's console. */
export const SERVER = 'server'

/** `actor`: the administrator who acts, or the server's console. */
type Account = { email: string; password: string; actor: string; now: Date }

export function listAdministrators(db: Database) {
  return db
    .selectFrom('administrators')
    .select(['email', 'created_at as createdAt'])
    .orderBy('created_at')
    .orderBy('email')
    .execute()
}

export async function createAdministrator(db: Database, account: Account): Promise<void> {
  const password_hash = await hashPassword(account.password)
  await inTransaction(db, (trx) => insertAdministrator(trx, account, password_hash))
}

/** Also ends the administrator's sessions, and the rate limit after wrong passwords. */
export async function resetPassword(db: Database, account: Account): Promise<void> {
  const { email, password, actor, now } = account
  const password_hash = await hashPassword(password)
  await inTransaction(db, async (trx) => {
    const { id } = await findAccount(trx, email)
    await trx.updateTable('administrators').set({ password_hash }).where('id', '=', id).execute()
    await trx.deleteFrom('administrator_keys').where('administrator_id', '=', id).execute()
    await forgetFailures(trx, 'administrator', email.toLowerCase())
    await note(trx, { action: 'reset administrator password', email, actor, now })
  })
}

export async function deleteAdministrator(
  db: Database,
  { email, actor, now }: Omit<Account, 'password'>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockAccounts(trx)
    const { id } = await findAccount(trx, email)
    await trx.deleteFrom('administrators').where('id', '=', id).execute()
    if (!(await hasAdministrator(trx))) {
      throw new AppError('conflict', `${email} is the last administrator and cannot be deleted.`)
    }
    await note(trx, { action: 'delete administrator', email, actor, now })
  })
}

async function insertAdministrator(
  trx: Trx,
  { email, actor, now }: Omit<Account, 'password'>,
  password_hash: string,
): Promise<void> {
  const added = await trx
    .insertInto('administrators')
    .values({ email, password_hash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) {
    throw new AppError('conflict', `An administrator with the email ${email} already exists.`)
  }
  await note(trx, { action: 'create administrator', email, actor, now })
}

/** `password` is null if the operator chose it; otherwise it is shown only here. */
export type FirstAdministrator = { email: string; password: string | null }

/** Creates the first administrator at the first start; null if there already is one. */
export async function makeFirstAdministrator(
  db: Database,
  { email, password }: { email: string; password: string | undefined },
  now: Date,
): Promise<FirstAdministrator | null> {
  const generated = password === undefined ? makePassword() : null
  return inTransaction(db, async (trx) => {
    // Several processes may start at the same time on an empty database.
    await sql`lock table administrators in exclusive mode`.execute(trx)
    if (await hasAdministrator(trx)) return null
    const password_hash = await hashPassword(password ?? generated ?? '')
    await insertAdministrator(trx, { email, actor: SERVER, now }, password_hash)
    return { email, password: generated }
  })
}

/** Random; it should be changed soon, so it need not be memorable. */
export function makePassword(): string {
  return randomBytes(15).toString('base64url')
}

async function hasAdministrator(trx: Trx): Promise<boolean> {
  const found = await trx.selectFrom('administrators').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** Serialises deletions, so that two cannot delete the last two administrators. */
async function lockAccounts(trx: Trx): Promise<void> {
  await sql`lock table administrators in share row exclusive mode`.execute(trx)
}

async function findAccount(trx: Trx, email: string): Promise<{ id: string }> {
  const account = await trx
    .selectFrom('administrators')
    .select('id')
    .where(({ fn }) => fn('lower', ['email']), '=', email.toLowerCase())
    .executeTakeFirst()
  if (account === undefined) {
    throw new AppError('not_found', `No administrator has the email ${email}.`)
  }
  return account
}

type Done = { action: string; email: string; actor: string; now: Date }

function note(trx: Trx, { action, email, actor, now }: Done): Promise<void> {
  return recordAction(trx, {
    administrator: actor,
    action,
    subject: `administrator ${email}`,
    now,
  })
}
