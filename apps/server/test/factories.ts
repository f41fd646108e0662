/** What tests put into a database: users, administrators, targets, compounds and predictions of earlier days. */
import { createHash, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { mintToken } from '#server/auth/admin/credentials.ts'
import { hashPassword } from '#server/auth/admin/passwords.ts'
import { mintKey } from '#server/auth/keys.ts'
import { noteFirstCredits } from '#server/credits/service.ts'
import { type OpenDatabase } from '#server/platform/db/open.ts'
import { type Database } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type PredictionResult } from '@pkdex/contract'
import { sql } from 'kysely'
import { resultOf } from './open-test-grid.ts'

export type TestSession = {
  userId: string
  email: string
  key: string
  /** For `app.inject`. */
  headers: { 'api-key': string }
}

/** Creates a user like an administrator would, without a Google account unless its id is given. */
export function addTestPerson(
  db: Database,
  email: string,
  { googleId = null, credits = 5 }: { googleId?: string | null; credits?: number } = {},
) {
  return db
    .insertInto('users')
    .values({ google_id: googleId, email, name: '', credits, created_at: new Date() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function openTestSession(
  db: Database,
  { credits = 100, now = new Date() } = {},
): Promise<TestSession> {
  const email = `${randomUUID()}@example.org`
  return inTransaction(db, async (trx) => {
    const { id: userId } = await trx
      .insertInto('users')
      .values({ has_signed_in: true, email, name: 'Test', credits, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const identity = { issuer: 'test', subject: email, email, is_email_trusted: false }
    await trx
      .insertInto('identities')
      .values({ user_id: userId, ...identity, created_at: now })
      .execute()
    await noteFirstCredits(trx, { userId, credits, reason: 'first sign-in', actor: 'server' })
    const key = await mintKey(trx, { userId, kind: 'session', now })
    return { userId, email, key, headers: { 'api-key': key } }
  })
}

export type TestAdministrator = {
  id: string
  email: string
  token: string
  /** For `app.inject`. */
  headers: { authorization: string }
}

export const TEST_PASSWORD = 'correct horse battery staple'
const passwordHash = hashPassword(TEST_PASSWORD)

export async function openTestAdministrator(
  db: Database,
  now = new Date(),
): Promise<TestAdministrator> {
  const email = `${randomUUID()}@lab.example`
  const password_hash = await passwordHash
  return inTransaction(db, async (trx) => {
    const { id } = await trx
      .insertInto('administrators')
      .values({ email, password_hash, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { value: token } = await mintToken(trx, id, now)
    return { id, email, token, headers: { authorization: `Bearer ${token}` } }
  })
}

export type TestPair = { target: string; compound: string; targetId: string; compoundId: string }

/** Gives a user a target and a compound, as an upload would have. */
export async function addPair(
  { db }: OpenDatabase,
  userId: string,
  {
    target = randomUUID(),
    compound = randomUUID(),
    smiles = 'CCO',
  }: { target?: string; compound?: string; smiles?: string } = {},
): Promise<TestPair> {
  const created_at = new Date()
  const file_id = await addTestFile(db, userId, Buffer.alloc(0))
  const shared = { user_id: userId, file_id, created_at }
  const { id: targetId } = await db
    .insertInto('targets')
    .values({
      ...shared,
      name: target,
      chain: 'A',
      segments: JSON.stringify({ A: ['MKVLA', 'GGH'], B: ['MKV'] }),
      report: JSON.stringify(targetReport),
      content_hash: hash(target),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: compoundId } = await db
    .insertInto('compounds')
    .values({
      ...shared,
      name: compound,
      smiles,
      standard_smiles: smiles,
      report: JSON.stringify({ ...compoundReport, standard_smiles: smiles }),
      content_hash: hash(smiles),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { target, compound, targetId, compoundId }
}

const targetReport = {
  title: null,
  pdb_code: null,
  chains: [],
  mapped: [],
  dropped: [],
  warnings: [],
}

const compoundReport = {
  formula: 'C2H6O',
  mass: 46.07,
  heavy_atoms: 3,
  standard_smiles: 'CCO',
  stripped: [],
  neutralised: 0,
  warnings: [],
}

/** Targets T1, T2, … with one segment per chain, and compounds C1, C2, … with as many carbons as their number. */
export async function addSeries(
  db: Database,
  userId: string,
  wanted: { targets: number; compounds: number },
): Promise<{ targets: string[]; compounds: string[] }> {
  const fileId = await addTestFile(db, userId, gzipSync('HEADER'))
  const owner = { user_id: userId, file_id: fileId, created_at: new Date() }
  const report = JSON.stringify({})
  const targets = Array.from({ length: wanted.targets }, (_, place) => `T${place + 1}`)
  for (const [place, name] of targets.entries()) {
    const segments = JSON.stringify({ A: ['M'.repeat(place + 3)], B: ['G'.repeat(place + 3)] })
    const target = { ...owner, name, chain: 'A', segments, report, content_hash: hash(name) }
    await db.insertInto('targets').values(target).execute()
  }
  const compounds = Array.from({ length: wanted.compounds }, (_, place) => `C${place + 1}`)
  const molecules = compounds.map((name, place) => ({ name, smiles: `C${'C'.repeat(place)}` }))
  await sql`insert into compounds
    (user_id, file_id, name, smiles, standard_smiles, report, content_hash, created_at)
    select ${userId}, ${fileId}, c ->> 'name', c ->> 'smiles', c ->> 'smiles', '{}',
      sha256(convert_to(c ->> 'smiles', 'UTF8')), now()
    from jsonb_array_elements(${JSON.stringify(molecules)}::jsonb) with ordinality as list (c, place)
    order by place`.execute(db)
  return { targets, compounds }
}

async function addTestFile(db: Database, userId: string, content: Buffer): Promise<string> {
  const name = randomUUID()
  const { id } = await db
    .insertInto('files')
    .values({
      user_id: userId,
      file_type: 'drug_smiles',
      filename: `${name}.txt`,
      sha256: hash(name),
      size_bytes: 0,
      content,
      uploaded_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

type OldTask = {
  at: Date
  /** Null if it failed. */
  result: PredictionResult | null
  targetId: string | null
  compoundId: string | null
  message: string | null
  /** 0 if the pair was already predicted. */
  credits: number
}

/** All have one timestamp; without ids of target and compound these were deleted. Returns the ids of the tasks. */
export async function addOldTasks(
  db: OpenDatabase['db'],
  userId: string,
  count: number,
  of: Partial<OldTask> = {},
): Promise<string[]> {
  const task = { ...unsaid, ...of }
  const ids = Array.from({ length: count }, () => randomUUID())
  const keys = ids.map((id) => ({ id, key: hash(id), compound: hash(id).subarray(0, 8) }))
  const orders = ids.map((id) => ({ ...orderOf(task), id, user_id: userId }))
  const placed = await db.insertInto('orders').values(orders).returning(['id', 'number']).execute()
  const numbers = new Map(placed.map(({ id, number }) => [id, number]))
  const place = { place: 0, user_id: userId, name: '', chain: 'A', segments: '[]' }
  const targets = keys.map(({ id, key }) => ({ ...place, order_id: id, key, sequence_id: 0 }))
  await db.insertInto('order_targets').values(targets).execute()
  const status = task.result === null ? ('FAILED' as const) : ('DONE' as const)
  const blocks = ids.map((id) => ({
    ...ended,
    status,
    user_id: userId,
    order_id: id,
    job_id: id,
  }))
  await db.insertInto('blocks').values(blocks).execute()
  const input = { row: 0, block: 0, name: '', smiles: '', standard: null, reason: null }
  const rows = keys.map(({ id, compound }) => ({
    ...input,
    order_number: numbers.get(id) ?? 0,
    compound_key: compound,
    flat_key: compound,
  }))
  await db.insertInto('order_rows').values(rows).execute()
  const { result } = task
  if (result === null) return ids
  const readings = keys.map(({ key, compound }) => ({
    user_id: userId,
    sequence_key: key,
    compound_key: compound,
    model_version: result.model_version,
    result: JSON.stringify(result),
    predicted_at: task.at,
  }))
  await db.insertInto('readings').values(readings).execute()
  return ids
}

/** A screen with this many predictions in each block. */
export async function addOldScreen(
  db: OpenDatabase['db'],
  userId: string,
  { at, predicted }: { at: Date; predicted: number[] },
): Promise<void> {
  const task = { ...unsaid, at }
  const id = randomUUID()
  const order = { ...orderOf(task), id, user_id: userId, kind: 'screen' as const }
  await db.insertInto('orders').values(order).execute()
  const blocks = predicted.map((count, block) => {
    return {
      ...ended,
      user_id: userId,
      order_id: id,
      job_id: randomUUID(),
      block,
      predicted: count,
    }
  })
  await db.insertInto('blocks').values(blocks).execute()
}

const unsaid: OldTask = {
  at: new Date(0),
  result: resultOf(7),
  targetId: null,
  compoundId: null,
  message: null,
  credits: 1,
}

function orderOf({ at, result, targetId, compoundId, message, credits }: OldTask) {
  const isDone = result !== null
  return {
    kind: 'single' as const,
    status: isDone ? ('DONE' as const) : ('FAILED' as const),
    idempotency_key: null,
    request_hash: null,
    target_id: targetId,
    compound_id: compoundId,
    targets: 1,
    compounds: 1,
    total: 1,
    done: 1,
    failed: isDone ? 0 : 1,
    known: 0,
    paid: 1,
    credits_per_pair: 1,
    credits_charged: isDone ? credits : 0,
    bytes: 0,
    model_version: result?.model_version ?? 'test-1',
    message,
    created_at: at,
    started_at: at,
    finished_at: at,
  }
}

const ended = {
  block: 0,
  first_row: 0,
  rows: 1,
  usable: 1,
  lane: 'small' as const,
  status: 'DONE' as const,
  predicted: 1,
  turn: 0,
  done_after: 1,
}
