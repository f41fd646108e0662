/** What the database remembers of screens. Every method changes all it names, or nothing. */
import type { Screen } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, ScreenBlocksTable, ScreensTable, Trx } from '#server/platform/db/schema.ts'
import type { Attempt } from '#server/platform/jobs/leased-queue.ts'
import { type FilledBlock, packKeys } from './blocks.ts'
import type { Plan } from './plan.ts'
import { cancelScreen, failAbandoned, finishBlock, type SettleDependencies } from './settle.ts'

export type ScreenStore = ReturnType<typeof openScreenStore>

export type NewScreen = {
  id: string
  userId: string
  idempotencyKey: string | null
  requestHash: Buffer
  plan: Plan
  blocks: FilledBlock[]
  paid: number
  creditsPerPair: number
  creditsCharged: number
  modelVersion: string
  message: string | null
  /** Of the call that asks, as the log names it. */
  reqId: string
}

/** A block as its worker gets it. */
export type WorkBlock = Pick<ScreenBlocksTable, 'rows' | 'paid' | 'compounds' | 'cells'> & {
  targets: string[][]
}

export function openScreenStore(dependencies: SettleDependencies) {
  const { db } = dependencies
  return {
    /** In the transaction that pays for it. */
    create: (trx: Trx, screen: NewScreen) => createScreen(dependencies, trx, screen),

    findByKey: (database: Database, userId: string, idempotencyKey: string) =>
      database
        .selectFrom('screens')
        .select(['id', 'request_hash as requestHash'])
        .where('user_id', '=', userId)
        .where('idempotency_key', '=', idempotencyKey)
        .executeTakeFirst(),

    read: (userId: string, id: string) => readScreen(db, userId, id),

    async list(userId: string, { page, page_size }: { page: number; page_size: number }) {
      const { total } = await db
        .selectFrom('screens')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      const rows = await db
        .selectFrom('screens')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute()
      return { total, screens: await withTargets(db, rows) }
    },

    readWork: (jobId: string) => readWork(db, jobId),

    finishBlock: (attempt: Attempt, result: { cells: Buffer; failed: number }) =>
      finishBlock(dependencies, attempt, result),

    cancel: (userId: string, id: string) => cancelScreen(dependencies, { userId, id }),

    failAbandoned: () => failAbandoned(dependencies),
  }
}

async function createScreen({ queue, now }: SettleDependencies, trx: Trx, screen: NewScreen) {
  const { id, userId, plan, blocks } = screen
  const ended = blocks.filter(({ isDone }) => isDone)
  const waiting = blocks.filter(({ isDone }) => !isDone)
  const done = ended.reduce((sum, { usable }) => sum + usable * plan.targets.length, 0)
  const createdAt = now()
  await trx
    .insertInto('screens')
    .values({
      id,
      user_id: userId,
      idempotency_key: screen.idempotencyKey,
      request_hash: screen.requestHash,
      status: waiting.length === 0 ? 'DONE' : 'QUEUED',
      total: plan.total,
      done,
      known: plan.total - screen.paid,
      compounds: plan.rows.length,
      paid: screen.paid,
      credits_per_pair: screen.creditsPerPair,
      credits_charged: screen.creditsCharged,
      model_version: screen.modelVersion,
      message: screen.message,
      created_at: createdAt,
      started_at: null,
      finished_at: waiting.length === 0 ? createdAt : null,
    })
    .execute()
  await addTargets(trx, screen)
  const firstTurn = await nextTurn(trx, userId)
  const turns = new Map(waiting.map(({ jobId }, place) => [jobId, firstTurn + place]))
  for (const [place, block] of blocks.entries()) {
    await addBlock(trx, screen, { block, place, turn: turns.get(block.jobId) ?? 0 })
  }
  await queue.add(
    trx,
    [...turns].map(([jobId, turn]) => ({ id: jobId, turn })),
    screen.reqId,
  )
}

async function addTargets(trx: Trx, { id, plan }: NewScreen): Promise<void> {
  for (const [place, { name, chain, segments, key }] of plan.targets.entries()) {
    await trx
      .insertInto('screen_targets')
      .values({ screen_id: id, place, name, chain, segments: JSON.stringify(segments), key })
      .execute()
  }
}

async function addBlock(
  trx: Trx,
  { id, userId }: NewScreen,
  { block, place, turn }: { block: FilledBlock; place: number; turn: number },
): Promise<void> {
  await trx
    .insertInto('screen_blocks')
    .values({
      screen_id: id,
      block: place,
      job_id: block.jobId,
      user_id: userId,
      status: block.isDone ? 'DONE' : 'WAITING',
      first_row: block.firstRow,
      rows: block.rows.length,
      usable: block.usable,
      paid: block.paid,
      turn,
      done_after: block.isDone ? 0 : null,
      compounds: block.compounds,
      compound_keys: packKeys(block.keys),
      cells: block.cells,
    })
    .execute()
}

/**
 * Users take turns, block by block: a new screen joins at the turn that is being worked now, behind the
 * user's own blocks, so that it waits for nobody's whole screen and overtakes no one for long.
 */
async function nextTurn(trx: Trx, userId: string): Promise<number> {
  const { now, own } = await trx
    .selectFrom('screen_blocks')
    .select([
      sql<number>`coalesce(min(turn), 0)`.as('now'),
      sql<number>`coalesce(max(turn) filter (where user_id = ${userId}) + 1, 0)`.as('own'),
    ])
    .where('status', '=', 'WAITING')
    .executeTakeFirstOrThrow()
  return Math.max(now, own)
}

async function readScreen(db: Database, userId: string, id: string): Promise<Screen | null> {
  const rows = await db
    .selectFrom('screens')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
  const [screen] = await withTargets(db, rows)
  return screen ?? null
}

type ScreenRecord = Omit<ScreensTable, 'id'> & { id: string }

async function withTargets(db: Database, rows: ScreenRecord[]): Promise<Screen[]> {
  const ids = rows.map(({ id }) => id)
  const targets = await db
    .selectFrom('screen_targets')
    .select(['screen_id', 'name', 'chain'])
    .where('screen_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('place')
    .execute()
  const targetsOf = Map.groupBy(targets, ({ screen_id }) => screen_id)
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    total: row.total,
    done: row.done,
    known: row.known,
    credits_charged: row.credits_charged,
    targets: (targetsOf.get(row.id) ?? []).map(({ name, chain }) => ({ name, chain })),
    compounds: row.compounds,
    model_version: row.model_version,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    message: row.message,
  }))
}

async function readWork(db: Database, jobId: string): Promise<WorkBlock | null> {
  const block = await db
    .selectFrom('screen_blocks')
    .select(['screen_id', 'rows', 'paid', 'compounds', 'cells'])
    .where('job_id', '=', jobId)
    .where('status', '=', 'WAITING')
    .executeTakeFirst()
  if (block === undefined) return null
  const targets = await db
    .selectFrom('screen_targets')
    .select('segments')
    .where('screen_id', '=', block.screen_id)
    .orderBy('place')
    .execute()
  return { ...block, targets: targets.map(({ segments }) => segments) }
}
