/** The tables of the administration as TypeScript sees them, beside those of schema.ts. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** The database fills it in. */
export type Computed<T> = ColumnType<T, never, never>

export type AdministratorsTable = {
  id: Generated<string>
  email: string
  password_hash: string
  created_at: Date
}

/** What an administrator's calls bring, as SHA-256 only. A session is its token and the keys made with it. */
export type AdministratorKeysTable = {
  id: Generated<string>
  administrator_id: string
  session_id: string
  kind: 'token' | 'key'
  hash: Buffer
  created_at: Date
  expires_at: Date
  session_expires_at: Date
}

/** What was asked for under a key that may come again: then `answer` is the answer, and nothing is done. */
export type AdministratorRequestsTable = {
  key: string
  /** SHA-256 of what was asked for. */
  request_hash: Buffer
  /** E-mail. */
  administrator: string
  at: Date
  answer: JSONColumnType<Record<string, unknown>>
}

/** Append-only: a trigger refuses everything but inserts. `before` and `after` hold no secrets. */
export type AuditLogTable = {
  id: Computed<number>
  at: Date
  /** E-mail of the administrator; `server`, or `user` who did it to their own account. */
  administrator: string
  action: string
  subject: string
  before: JSONColumnType<Record<string, unknown>> | null
  after: JSONColumnType<Record<string, unknown>> | null
}
