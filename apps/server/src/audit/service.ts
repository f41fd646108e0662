/** What administrators did: written in the transaction that does it, read newest first, never changed. */
import type { AuditEntry } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { containsPattern } from '#server/platform/db/values.ts'

/** Who does something, and when. */
export type AdminActionContext = {
  /** E-mail of the administrator; `server` where somebody with access to the machine did it, `user` to one's own account. */
  administrator: string
  now: Date
}

/** `before` and `after` must hold no secrets: the log is shown and exported. */
type AdminAction = AdminActionContext & {
  action: string
  subject: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export function recordAction(trx: Trx, done: AdminAction): Promise<void> {
  return recordActions(trx, [done])
}

/** Of one call that does something to several. */
export async function recordActions(trx: Trx, done: AdminAction[]): Promise<void> {
  if (done.length === 0) return
  const entries = done.map(({ administrator, action, subject, before, after, now }) => ({
    at: now,
    administrator,
    action,
    subject,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }))
  await trx.insertInto('audit_log').values(entries).execute()
}

type Page = { page: number; page_size: number; search: string }

export async function readAudit(
  db: Database,
  { page, page_size, search }: Page,
): Promise<{ total: number; entries: AuditEntry[] }> {
  const matching = db.selectFrom('audit_log').$if(search !== '', (query) =>
    query.where(
      sql<boolean>`lower(concat_ws(e'\n', administrator, action, subject, before, after))
        like ${containsPattern(search)}`,
    ),
  )
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const entries = rows.map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() }))
  return { total, entries }
}
