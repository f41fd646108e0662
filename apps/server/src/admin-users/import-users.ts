/**
 * Takes in a list of users: creates those who are not there and credits those who are, every line or none. The same
 * list is taken in once, unless it comes under another key.
 */
import type { ImportedUser, ImportedUsers, ImportOutcome } from '@pkdex/contract'
import { sql } from 'kysely'
import { type AdminActionContext, recordActions } from '#server/audit/service.ts'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLocks, inTransaction } from '#server/platform/db/transaction.ts'
import { doOnce, type Earlier, findEarlier, hashOf } from './once.ts'
import { type ListedUser, readUserList } from './read-user-list.ts'
import { creditNoted, whyNotChanged } from './several-users.ts'
import { selectUsers, toAdminUser, userColumns, type UserRow } from './store.ts'

type Import = { csv: string; apply: boolean; key: string | null; initialCredits: number }

/** What became of each line, in their order; whose line it is stands in the list alone, which comes again. */
type Kept = { rows: Omit<ImportedUser, 'email' | 'reason'>[] }

export async function importUsers(
  db: Database,
  context: AdminActionContext,
  { csv, apply, key, initialCredits }: Import,
): Promise<ImportedUsers> {
  const listed = readUserList(csv)
  const request = csv.trim()
  const order = { key: key ?? `list ${hashOf(request).toString('hex')}`, request }
  const list = { listed, initialCredits }
  if (!apply) return checkList(db, order, list)
  const outcome = await doOnce<Kept>(db, {
    ...context,
    ...order,
    work: async (trx) => takeIn(trx, context, await planLines(trx, list)),
  })
  if ('earlier' in outcome) return repeated(outcome.earlier, listed)
  if (outcome.done === null) return checkList(db, order, list)
  const applied_at = context.now.toISOString()
  return { rows: withEmails(outcome.done, listed), applied_at, repeated: false }
}

type List = { listed: ListedUser[]; initialCredits: number }

/** What would become of each line; where the list was taken in before, what became of it then. */
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
  const rows = withEmails(answer as Kept, listed)
  return { rows, applied_at: at.toISOString(), repeated: true }
}

function withEmails({ rows }: Kept, listed: ListedUser[]): ImportedUser[] {
  return rows.map((row, place) => ({ ...row, email: listed[place]?.email ?? '', reason: null }))
}

type Planned = ListedUser & {
  outcome: ImportOutcome
  delta: number
  /** The user who is there. */
  user: UserRow | null
}

/** Holds every e-mail and every user of the list until the transaction ends. */
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
  if (earlierLine !== undefined) return `Line ${earlierLine} has the same e-mail.`
  if (users.length > 1) return `${users.length} users have this e-mail.`
  if (user === undefined && delta < 0) return 'A new user cannot begin with less than nothing.'
  return whyNotChanged(user?.credits ?? 0, delta)
}

function rowOf({ line, email, outcome, delta, user, reason }: Planned): ImportedUser {
  const after = Math.round(((user?.credits ?? 0) + delta) * 1000) / 1000
  return { line, email, outcome, delta, credits: outcome === 'refused' ? null : after, reason }
}

/** Null where a line is refused: then nothing has been changed. */
async function takeIn(
  trx: Trx,
  context: AdminActionContext,
  planned: Planned[],
): Promise<Kept | null> {
  if (planned.some(({ outcome }) => outcome === 'refused')) return null
  const created = await createAll(trx, context, planned)
  const changes = planned.flatMap(({ user, email, delta, note }) => {
    const userId = user?.id ?? created.get(email)?.id
    return delta === 0 || userId === undefined ? [] : [{ userId, delta, note }]
  })
  const users = [...planned.flatMap(({ user }) => user ?? []), ...created.values()]
  await creditNoted(trx, context, { users, changes })
  return {
    rows: planned
      .map(rowOf)
      .map(({ line, outcome, delta, credits }) => ({ line, outcome, delta, credits })),
  }
}

/** Those who are not there yet, by e-mail, with a balance of 0: what they begin with is the first change of it. */
async function createAll(
  trx: Trx,
  context: AdminActionContext,
  planned: Planned[],
): Promise<Map<string, UserRow>> {
  const missing = planned.filter(({ outcome }) => outcome === 'create')
  if (missing.length === 0) return new Map()
  const nobody = { google_id: null, issuer: null, subject: null, credits: 0, is_active: true }
  const rows = await trx
    .insertInto('users')
    .values(missing.map(({ email, name }) => ({ ...nobody, email, name, created_at: context.now })))
    .returning(userColumns)
    .execute()
  const done = rows.map((row) => {
    const after = toAdminUser(row)
    return { ...context, action: 'create user', subject: `user ${row.id}`, after }
  })
  await recordActions(trx, done)
  return new Map(rows.map((row) => [row.email, row]))
}

/** As the database makes them lower case: it knows other rules than JavaScript. */
async function emailKeys(trx: Trx, listed: ListedUser[]): Promise<string[]> {
  const emails = listed.map(({ email }) => email)
  const { rows } = await sql<{ key: string }>`
    select lower(email) as key
    from unnest(${emails}::text[]) with ordinality as listed (email, place)
    order by place`.execute(trx)
  return rows.map(({ key }) => key)
}
