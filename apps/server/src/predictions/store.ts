/** Orders in the database. Every method makes all of its changes or none. */
import type { CompoundFeatures } from '@pkdex/biochem'
import { type Screen, type ScreenNames, SERIES_COMPOUNDS_MIN, toTags } from '@pkdex/contract'
import { sql } from 'kysely'
import type { Database, Tables, Trx } from '#server/platform/db/schema.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { readStoredFeatures } from '#server/files/service.ts'
import { createOrder, type PaidOrder } from './create-order.ts'
import { emptyRemoved, removeOrder } from './deletion.ts'
import {
  type PlacedRow,
  findUnplaced,
  placeLikeScreen,
  type PoseState,
  readPoseStates,
  readPoseWork,
  startPoses,
} from './pose-blocks.ts'
import type { PairKey } from './readings.ts'
import type { BlockAttempt } from './queue.ts'
import type { OrderRecord } from './order-numbers.ts'
import {
  type BlockResult,
  cancelOrder,
  failAbandoned,
  finishBlock,
  finishPoses,
  holdOrders,
  type SettleDependencies,
} from './settle.ts'

export type OrderStore = ReturnType<typeof openOrderStore>

/** What a worker needs of a block. */
export type WorkBlock = {
  orderId: string
  jobId: string
  kind: Tables['orders']['kind']
  rows: WorkRow[]
  targets: { key: Buffer; segments: string[] }[]
}

/** A row that can be predicted. */
export type WorkRow = {
  row: number
  smiles: string
  /** As stored with the compound, unless they have to be computed. */
  features: CompoundFeatures | undefined
  compoundKey: Buffer
  /** Indices of the targets that it has a number for. */
  known: Set<number>
}

export function openOrderStore(dependencies: SettleDependencies) {
  const { db, now } = dependencies
  return {
    /** In the transaction that pays for the order. */
    async create(trx: Trx, order: PaidOrder): Promise<void> {
      const isPredicted = await createOrder(dependencies, trx, order)
      if (order.kind === 'single' || order.followUpOf !== undefined) {
        await placeLikeScreen(trx, order.id)
      }
      if (isPredicted) await startPoses(dependencies, trx, order.id)
    },

    /** Places a pair that was predicted before a screen on its target was; false if there is nothing to place. */
    async placeLate(userId: string, pair: PairKey): Promise<boolean> {
      const found = await findUnplaced(db, userId, pair)
      if (found === null) return false
      return inTransaction(db, async (trx) => {
        await holdOrders(trx, userId)
        const id = await findUnplaced(trx, userId, pair)
        if (id === null) return false
        await placeLikeScreen(trx, id)
        await startPoses(dependencies, trx, id)
        return true
      })
    },

    findByKey: (database: Database, userId: string, idempotencyKey: string) =>
      database
        .selectFrom('orders')
        .select(['id', 'request_hash as requestHash'])
        .where('user_id', '=', userId)
        .where('idempotency_key', '=', idempotencyKey)
        .executeTakeFirst(),

    read: (userId: string, id: string) => readOrder(db, userId, id),

    list: (userId: string, page: Page) => listOrders(db, userId, page),

    /** `column` counts from 1; null if the order has no such target. */
    readTarget: (id: string, column: number) => readTarget(db, id, column),

    readWork: (jobIds: string[]) => readWork(db, jobIds),

    readPoseWork: (jobId: string) => readPoseWork(db, jobId),

    async markStarted(orderIds: string[]): Promise<void> {
      await db
        .updateTable('orders')
        .set({ status: 'RUNNING', started_at: now() })
        .where('id', 'in', orderIds)
        .where('status', '=', 'QUEUED')
        .execute()
    },

    finishBlock: (attempt: BlockAttempt, result: BlockResult) =>
      finishBlock(dependencies, attempt, result),

    finishPoses: (attempt: BlockAttempt, rows: PlacedRow[] | null) =>
      finishPoses(dependencies, attempt, rows),

    /** An empty name removes it; what is left out stays as it is. */
    async rename(userId: string, id: string, { name, note, tags }: ScreenNames): Promise<void> {
      await db
        .updateTable('orders')
        .set({
          ...(name !== undefined && { name: name.normalize('NFC').trim() || null }),
          ...(note !== undefined && { note: note.normalize('NFC').trim() }),
          ...(tags !== undefined && { tags: toTags(tags) }),
        })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .execute()
    },

    cancel: (userId: string, id: string) => cancelOrder(dependencies, { userId, id }),

    /** With its follow-ups; false if one of them, or an order that may have copies of their pairs, is in progress. */
    remove: (userId: string, id: string) => removeOrder(db, userId, id),

    failAbandoned: () => failAbandoned(dependencies),

    /** Deletes what an interrupted deletion has left. */
    emptyRemoved: () => emptyRemoved(db),
  }
}

const isShared =
  sql<boolean>`exists (select from shares where order_id in (orders.id, orders.screen_id))`.as(
    'is_shared',
  )

async function readOrder(db: Database, userId: string, id: string): Promise<Screen | null> {
  const row = await db
    .selectFrom('orders')
    .selectAll()
    .select(isShared)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', 'in', ['screen', 'call'])
    .executeTakeFirst()
  if (row === undefined) return null
  const targets = await db
    .selectFrom('order_targets')
    .select(['name', 'chain'])
    .where('order_id', '=', id)
    .orderBy('place')
    .execute()
  const posesOf = await readPoseStates(db, [row])
  return { ...toScreen(row, targets), ...posesOf(row) }
}

async function readTarget(db: Database, id: string, column: number) {
  const target = await db
    .selectFrom('order_targets')
    .select(['name', 'chain', 'key', 'segments'])
    .where('order_id', '=', id)
    .where('place', '=', column - 1)
    .executeTakeFirst()
  return target ?? null
}

/** Targets named per screen in a list. */
const LISTED_TARGETS = 3

type Page = {
  page: number
  page_size: number
  kind?: 'screen' | 'call' | 'series'
  follow_up_of?: string | undefined
  tag?: string | undefined
}

async function listOrders(
  db: Database,
  userId: string,
  { page, page_size, kind = 'screen', follow_up_of: followed, tag }: Page,
) {
  const own = db
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .$if(followed !== undefined, (query) => query.where('screen_id', '=', followed ?? null))
    .$if(tag !== undefined, (query) => query.where(hasTag(tag ?? '', kind)))
    .$if(kind === 'screen', (query) =>
      query.where((is) => is.or([is('kind', '=', 'screen'), is('screen_id', 'is not', null)])),
    )
    .$if(kind === 'series', (query) =>
      query.where('kind', '=', 'screen').where('compounds', '>=', SERIES_COMPOUNDS_MIN),
    )
    .$if(kind === 'call', (query) =>
      query.where('kind', '=', 'call').where('screen_id', 'is', null),
    )
  const { total } = await own
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const ids = rows.map(({ id }) => id)
  const targets = await db
    .selectFrom('order_targets')
    .select(['order_id', 'name', 'chain'])
    .where('order_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('place', '<', LISTED_TARGETS)
    .orderBy('place')
    .execute()
  const targetsOf = Map.groupBy(targets, ({ order_id }) => order_id)
  const posesOf = await readPoseStates(db, rows)
  return {
    total,
    screens: rows.map((row) => ({
      ...toScreen(row, targetsOf.get(row.id) ?? []),
      ...posesOf(row),
    })),
  }
}

/** A series has the tags of its screen and those of the make lists of its targets. */
function hasTag(tag: string, kind: 'screen' | 'call' | 'series') {
  const [wanted = ''] = toTags([tag])
  const own = sql<boolean>`${wanted} = any(orders.tags)`
  if (kind !== 'series') return own
  return sql<boolean>`(${own} or exists (select from order_targets join targets
    on targets.user_id = orders.user_id and targets.name = order_targets.name
    where order_targets.order_id = orders.id and ${wanted} = any(make_list_tags)))`
}

function toScreen(
  row: OrderRecord & { is_shared?: boolean },
  targets: { name: string; chain: string }[],
): Omit<Screen, keyof PoseState> {
  return {
    id: row.id,
    follow_up_of: row.screen_id,
    shared_by: null,
    ...(row.is_shared !== undefined && { is_shared: row.is_shared }),
    comments: row.comments,
    commented_at: row.commented_at?.toISOString() ?? null,
    name: row.name,
    note: row.note,
    tags: row.tags,
    status: row.status,
    total: row.total,
    done: row.done,
    known: row.known,
    credits_charged: row.credits_charged,
    targets: targets.map(({ name, chain }) => ({ name, chain })),
    target_count: row.targets,
    compounds: row.compounds,
    model_version: row.model_version,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    message: row.message,
  }
}

/** Blocks that are still waiting, by job. */
async function readWork(db: Database, jobIds: string[]): Promise<Map<string, WorkBlock>> {
  const blocks = await db
    .selectFrom('blocks')
    .innerJoin('orders', 'orders.id', 'blocks.order_id')
    .select(['order_id as orderId', 'job_id as jobId', 'kind', 'orders.user_id as userId'])
    .where('job_id', 'in', jobIds)
    .where('blocks.status', '=', 'WAITING')
    .execute()
  const ids = [...new Set(blocks.map(({ orderId }) => orderId))]
  const targets = await db
    .selectFrom('order_targets')
    .select(['order_id', 'key', 'segments'])
    .where('order_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('place')
    .execute()
  const { rows } = await sql<
    Omit<WorkRow, 'known' | 'features'> & { jobId: string; known: number[] }
  >`
    select job_id as "jobId", row, standard as smiles, compound_key as "compoundKey",
      array(select place::int from pairs where pairs.order_number = number and pairs.row = order_rows.row) as known
    from blocks join orders on orders.id = order_id
      join order_rows on order_number = number and row >= first_row and row < first_row + rows
    where job_id = any(${blocks.map(({ jobId }) => jobId)}::uuid[]) and standard is not null
    order by row`.execute(db)
  const targetsOf = Map.groupBy(targets, ({ order_id }) => order_id)
  const rowsOf = Map.groupBy(rows, ({ jobId }) => jobId)
  const work = new Map<string, WorkBlock>()
  for (const { userId, ...block } of blocks) {
    const own = rowsOf.get(block.jobId) ?? []
    const width = targetsOf.get(block.orderId)?.length ?? 0
    const missing = own.filter(({ known }) => known.length < width).map((row) => row.smiles)
    // Single predictions are few: theirs are computed.
    const features = block.kind === 'single' ? null : await readStoredFeatures(db, userId, missing)
    work.set(block.jobId, {
      ...block,
      rows: own.map((row) => ({
        ...row,
        features: features?.get(row.smiles),
        known: new Set(row.known),
      })),
      targets: targetsOf.get(block.orderId) ?? [],
    })
  }
  return work
}
