/**
 * The audit log of administrator actions: written in the transaction of the action, read newest first, never
 * changed.
 */
import type { AuditEntry, listAudit } from '@pkdex/contract'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { containsPattern } from '#server/platform/db/values.ts'

/** Who acts, and when. */
export type AdminActionContext = {
  /** Email of the administrator; `server` for actions from the console, `user` for users' actions on their own account. */
  administrator: string
  now: Date
}

/** `before` and `after` must contain no secrets: the log is shown and exported. */
type AdminAction = AdminActionContext & {
  action: string
  subject: string
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export async function recordAction(trx: Trx, done: AdminAction): Promise<void> {
  const { administrator, action, subject, before, after, now } = done
  const entry = {
    at: now,
    administrator,
    action,
    subject,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  }
  await trx.insertInto('audit_log').values(entry).execute()
}

type Page = z.output<typeof listAudit.query>

export async function readAudit(
  db: Database,
  { page, page_size, ...filter }: Page,
): Promise<{ total: number; entries: AuditEntry[] }> {
  const matching = matchingEntries(db, filter)
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const people = await findPeople(db, [...new Set(rows.map(({ subject }) => subject))])
  const entries = rows.map((row) => ({
    ...row,
    id: String(row.id),
    at: row.at.toISOString(),
    person: people.get(row.subject) ?? null,
  }))
  return { total, entries }
}

type Filter = Omit<Page, 'page' | 'page_size'>

/** Days are UTC days. */
function matchingEntries(db: Database, { search, administrator, action, from, to }: Filter) {
  const pattern = containsPattern(search)
  return db
    .selectFrom('audit_log')
    .$if(search !== '', (query) =>
      query.where(
        sql<boolean>`(lower(concat_ws(e'\n', administrator, action, subject, before, after))
          like ${pattern} or subject in (${subjectsNamed(pattern)}))`,
      ),
    )
    .$if(administrator !== '', (query) =>
      query.where(sql<boolean>`lower(administrator) = lower(${administrator})`),
    )
    .$if(action !== '', (query) => query.where('action', '=', action))
    .$if(from !== undefined, (query) => query.where('at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (query) =>
      query.where('at', '<', new Date(new Date(to ?? 0).getTime() + DAY_MS)),
    )
}

const DAY_MS = 86_400_000

/** Values to filter by. */
export async function readAuditChoices(
  db: Database,
): Promise<{ administrators: string[]; actions: string[] }> {
  const valuesOf = async (column: 'administrator' | 'action') => {
    const rows = await db
      .selectFrom('audit_log')
      .select(`${column} as value`)
      .distinct()
      .orderBy('value')
      .execute()
    return rows.map(({ value }) => value)
  }
  return { administrators: await valuesOf('administrator'), actions: await valuesOf('action') }
}

/** Users by email or name, and deleted users by the audit entries that contain their email. */
function subjectsNamed(pattern: RawBuilder<string>) {
  return sql`select 'user ' || id from users where search_text like ${pattern}
    union all select subject from audit_log
    where lower(concat_ws(e'\n', before->>'email', after->>'email')) like ${pattern}`
}

/** The emails of the users that entries are about, keyed by subject. */
async function findPeople(db: Database, subjects: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ subject: string; email: string }>`
    select subject, before->>'email' as email from audit_log
    where action = 'delete user' and subject = any(${subjects}::text[])
    union all select 'user ' || id, email from users
    where id = any(${subjects.flatMap(userIdOf)}::uuid[])`.execute(db)
  return new Map(rows.map(({ subject, email }) => [subject, email]))
}

function userIdOf(subject: string): string[] {
  return /^user ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(subject)?.slice(1) ?? []
}
