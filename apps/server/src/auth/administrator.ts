/** Authenticates administrators: finds the owner of a bearer token or key, and says why one is refused. */
import { messages } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { hashKey } from './caller.ts'

export type Administrator = {
  id: string
  email: string
  session: { id: string; expiresAt: Date }
}

/** As sent; the token or the key is enough. */
export type AdministratorCredentials = {
  token: string | undefined
  key: string | undefined
  /** Does not authenticate; if sent, it must be the owner's. */
  email: string | undefined
}

export async function findAdministrator(
  db: Database,
  credentials: AdministratorCredentials,
  now: Date,
): Promise<Administrator> {
  const { token, key, email } = credentials
  if (!token && !key) throw new AppError('not_signed_in', messages.upload.notSignedIn)
  const administrator =
    (token && (await findOwner(db, { kind: 'token', value: token }, now))) ||
    (key && (await findOwner(db, { kind: 'key', value: key }, now)))
  if (!administrator) throw new AppError('not_signed_in', messages.admin.sessionExpired)
  if (email !== undefined && email.toLowerCase() !== administrator.email.toLowerCase()) {
    throw new AppError('forbidden', 'X-Admin-Email does not match this administrator.')
  }
  return administrator
}

async function findOwner(
  db: Database,
  { kind, value }: { kind: 'token' | 'key'; value: string },
  now: Date,
): Promise<Administrator | null> {
  const found = await db
    .selectFrom('administrator_keys as held')
    .innerJoin('administrators', 'administrators.id', 'held.administrator_id')
    .select(['administrators.id', 'administrators.email'])
    .select(['held.session_id', 'held.session_expires_at'])
    .where('held.hash', '=', hashKey(value))
    .where('held.kind', '=', kind)
    .where('held.expires_at', '>', now)
    .executeTakeFirst()
  if (found === undefined) return null
  const { id, email, session_id, session_expires_at } = found
  return { id, email, session: { id: session_id, expiresAt: session_expires_at } }
}
