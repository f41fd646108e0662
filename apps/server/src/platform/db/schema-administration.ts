/** Administration tables as TypeScript sees them, beside those of schema.ts. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Computed by the database. */
export type Computed<T> = ColumnType<T, never, never>

export type AdministratorsTable = {
  id: Generated<string>
  email: string
  password_hash: string
  created_at: Date
}

/** Administrator credentials, as SHA-256 only. A session is its token and the keys created with it. */
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

/** Idempotent requests: if a key comes again, the stored `answer` is returned and nothing is done. */
export type AdministratorRequestsTable = {
  key: string
  /** SHA-256 of the request. */
  request_hash: Buffer
  /** Email. */
  administrator: string
  at: Date
  answer: JSONColumnType<Record<string, unknown>>
}

/** Append-only: a trigger rejects everything but inserts. `before` and `after` contain no secrets. */
export type AuditLogTable = {
  id: Computed<number>
  at: Date
  /** Email of the administrator; `server` for console actions, `user` for actions on one's own account. */
  administrator: string
  action: string
  subject: string
  before: JSONColumnType<Record<string, unknown>> | null
  after: JSONColumnType<Record<string, unknown>> | null
}
