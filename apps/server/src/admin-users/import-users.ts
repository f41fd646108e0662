/**
 * Imports a list of users: creates new ones and adds credits to existing ones, all lines or none. The same list is
 * imported only once, unless the request has another key.
 */
import type { ImportedUser, ImportedUsers, ImportOutcome } from '@pkdex/contract'
import { sql } from 'kysely'
import { type AdminActionContext, recordAction } from '#server/audit/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLocks, inTransaction } from '#server/platform/db/transaction.ts'
import { hashRequest } from '#server/platform/http/idempotency.ts'
import { doOnce, type Earlier, findEarlier } from './once.ts'
import { type ListedUser, readUserList } from './read-user-list.ts'
import { creditAll, severalOf, whyNotChanged } from './several-users.ts'
import { selectUsers, userColumns, type UserRow } from './store.ts'
import { round } from '#server/platform/round.ts'

type Import = { csv: string; apply: boolean; key: string | null; initialCredits: number }

/** The result of each line, in order; without emails, because the list itself is sent again. */
type Imported = { rows: Omit<ImportedUser, 'email' | 'reason'>[] }

export async function importUsers(
  db: Database,
  context: AdminActionContext,
  { csv, apply, key, initialCredits }: Import,
): Promise<ImportedUsers> {
  const listed = readUserList(csv)
  const request = csv.trim()
  const order = { key: key ?? `list ${hashRequest(request).toString('hex')}`, request }
  const list = { listed, initialCredits }
  if (!apply) return checkList(db, order, list)
  const outcome = await doOnce<Imported>(db, {
    ...context,
    ...order,
    work: async (trx) => takeIn(trx, { ...context, key: order.key }, await planLines(trx, list)),
  })
  if ('earlier' in outcome) return repeated(outcome.earlier, listed)
  if (outcome.done === null) return checkList(db, order, list)
  const applied_at = context.now.toISOString()
  return { rows: withEmails(outcome.done, listed), applied_at, repeated: false }
}

type List = { listed: ListedUser[]; initialCredits: number }

/** Preview per line, or the earlier result if this list was already imported. */
async function checkList(
  db: Database,
  order: { key: string; request: string },
  list: List,
): Promise<ImportedUsers> {
  const earlier = await findEarlier(db, order)
  if (earlier !== null) return repeated(earlier, list.listed)
  const planned = await inTransaction(db, (trx) => planLines(trx, list))
  return { rows: planned.map(rowOf), applied_at: null, repeated: false }
}

function repeated({ at, answer }: Earlier, listed: ListedUser[]): ImportedUsers {
  const rows = withEmails(answer as Imported, listed)
  return { rows, applied_at: at.toISOString(), repeated: true }
}

function withEmails({ rows }: Imported, listed: ListedUser[]): ImportedUser[] {
  return rows.map((row, place) => ({ ...row, email: listed[place]?.email ?? '', reason: null }))
}

type Planned = ListedUser & {
  outcome: ImportOutcome
  delta: number
  /** The existing user. */
  user: UserRow | null
}

/** Locks every email and user of the list until the transaction ends. */
async function planLines(trx: Trx, { listed, initialCredits }: List): Promise<Planned[]> {
  const keys = await emailKeys(trx, listed)
  await holdLocks(trx, 'userIdentity', keys)
  const found = await selectUsers(trx)
    .select('email_key')
    .where('email_key', 'in', keys)
    .orderBy('id')
    .forUpdate()
    .execute()
  const usersOf = Map.groupBy(found, ({ email_key }) => email_key)
  const firstLines = new Map<string, number>()
  return listed.map((line, place) => {
    const key = keys[place] ?? ''
    const earlierLine = firstLines.get(key)
    if (line.reason === null) firstLines.set(key, earlierLine ?? line.line)
    const users = usersOf.get(key) ?? []
    return planLine(line, { users, earlierLine, initialCredits })
  })
}

type Circumstances = {
  users: UserRow[]
  earlierLine: number | undefined
  initialCredits: number
}

function planLine(line: ListedUser, circumstances: Circumstances): Planned {
  const user = circumstances.users[0] ?? null
  const delta = line.credits ?? (user === null ? circumstances.initialCredits : 0)
  const reason = line.reason ?? whyRefused({ ...circumstances, delta })
  const outcome = reason === null ? outcomeOf(user, delta) : 'refused'
  return { ...line, user, reason, outcome, delta: reason === null ? delta : (line.credits ?? 0) }
}

function outcomeOf(user: UserRow | null, delta: number): ImportOutcome {
  if (user === null) return 'create'
  return delta === 0 ? 'unchanged' : 'credit'
}

function whyRefused({ users, earlierLine, delta }: Circumstances & { delta: number }) {
  const [user] = users
  if (earlierLine !== undefined) return `Line ${earlierLine} has the same email.`
  if (users.length > 1) return `${users.length} users have this email.`
  if (user === undefined && delta < 0) return 'A new user cannot start with negative credits.'
  return whyNotChanged(user?.credits ?? 0, delta)
}

function rowOf({ line, email, outcome, delta, user, reason }: Planned): ImportedUser {
  const after = round((user?.credits ?? 0) + delta, 3)
  return { line, email, outcome, delta, credits: outcome === 'refused' ? null : after, reason }
}

/** Null if a line is invalid: then nothing has been changed. */
async function takeIn(
  trx: Trx,
  { key, ...context }: AdminActionContext & { key: string },
  planned: Planned[],
): Promise<Imported | null> {
  if (planned.some(({ outcome }) => outcome === 'refused')) return null
  const created = await createAll(trx, context, planned)
  const changes = planned.flatMap(({ user, email, delta, note }) => {
    const userId = user?.id ?? created.get(email)?.id
    return delta === 0 || userId === undefined ? [] : [{ userId, delta, note }]
  })
  await creditAll(trx, context, changes)
  const credited = new Set(changes.map(({ userId }) => userId))
  const before = planned.flatMap(({ user }) => (user !== null && credited.has(user.id) ? user : []))
  const users = [...created.values(), ...before]
  const done = { created: created.size, credited: credited.size, key }
  await recordAction(trx, { ...context, action: 'import users', ...severalOf(users, done) })
  return {
    rows: planned
      .map(rowOf)
      .map(({ line, outcome, delta, credits }) => ({ line, outcome, delta, credits })),
  }
}

/** Creates the missing users, by email, with a balance of 0; their initial credits are their first ledger entry. */
async function createAll(
  trx: Trx,
  context: AdminActionContext,
  planned: Planned[],
): Promise<Map<string, UserRow>> {
  const missing = planned.filter(({ outcome }) => outcome === 'create')
  if (missing.length === 0) return new Map()
  const nobody = { google_id: null, credits: 0, is_active: true }
  const rows = await trx
    .insertInto('users')
    .values(missing.map(({ email, name }) => ({ ...nobody, email, name, created_at: context.now })))
    .returning(userColumns)
    .execute()
  return new Map(rows.map((row) => [row.email, row]))
}

/** Lower-cased by the database, whose rules differ from JavaScript's. */
async function emailKeys(trx: Trx, listed: ListedUser[]): Promise<string[]> {
  const emails = listed.map(({ email }) => email)
  const { rows } = await sql<{ key: string }>`
    select lower(email) as key
    from unnest(${emails}::text[]) with ordinality as listed (email, place)
    order by place`.execute(trx)
  return rows.map(({ key }) => key)
}
