/**
 * The poses of a screen: blocks of compounds on one target each, queued once the screen's predictions have ended. Changing
 * them requires the lock of the user's orders.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Screen } from '@pkdex/contract'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import type { Signals } from '#server/platform/jobs/signals.ts'
import { firstTurn, nextTurn } from './blocks.ts'
import type { InputRow } from './plan.ts'
import type { PairKey } from './readings.ts'
import { type BlockQueue, NEW_WORK } from './queue.ts'
import { readInput } from './screen-table.ts'
import { poseBytes } from './structure-order.ts'

/** A second or two of work for one thread, unless its compounds are slow: then the block is cut again. */
const ROWS_PER_BLOCK = 25
const BLOCKS_PER_INSERT = 500
const failedMessage = 'Poses failed because of a server error.'
const cancelMessage = 'Cancelled. Compounds that were placed by then keep their pose.'

/** A text if the compound could not be placed, null for a row without a molecule. */
export type PlacedRow = Pose | string | null
type Pose = {
  /** How much better than the reference ligand, in kcal/mol. */
  pose: number
  similarity: number
  /** Difference from other compounds of the screen in pK; null if the screen does not use it. */
  difference: number | null
  keepsStereo: boolean
  /** Coordinates of the atoms, in Å. */
  x: Float64Array
}

/**
 * In the transaction that creates an order of one target: its compounds are placed as those of a screen on this target were,
 * and compared with them. Of several screens, the one it follows up or the one with the most poses counts.
 */
export async function placeLikeScreen(trx: Trx, orderId: string): Promise<void> {
  await sql`
    with own as (
      select orders.user_id, screen_id, order_targets.name, chain, key from orders
      join order_targets on order_id = orders.id where orders.id = ${orderId}),
    screen as (
      select pose_settings, placed_on.* from own
      join orders on orders.user_id = own.user_id and kind = 'screen' and pose_settings is not null
      join order_targets as placed_on on placed_on.order_id = orders.id and placed_on.key = own.key
        and placed_on.name = own.name and placed_on.chain = own.chain and placed > 1
      order by orders.id = own.screen_id desc nulls last, placed desc, orders.created_at desc limit 1),
    placed as (
      update order_targets set reference = screen.reference, own_ligand = screen.own_ligand, placed = screen.placed,
        pose_mean = screen.pose_mean, similarity_mean = screen.similarity_mean, difference_mean = screen.difference_mean
      from screen where order_targets.order_id = ${orderId})
    update orders set pose_settings = screen.pose_settings from screen where id = ${orderId}`.execute(
    trx,
  )
}

/** The single prediction of a pair without a pose, if a screen has placed other compounds on its target meanwhile. */
export async function findUnplaced(
  db: Database,
  userId: string,
  { sequence, compound }: PairKey,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select orders.id from orders
    join order_targets on order_id = orders.id and key = ${sequence}
    join order_rows on order_number = number and order_rows.row = 0 and compound_key = ${compound}
    where orders.user_id = ${userId} and kind = 'single' and status = 'DONE' and pose_settings is null
      and exists (select from order_targets as other join orders as screen on screen.id = other.order_id
        where screen.user_id = ${userId} and screen.kind = 'screen' and screen.pose_settings is not null
          and other.key = ${sequence} and other.name = order_targets.name and other.chain = order_targets.chain
          and other.placed > 1)
    order by created_at desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** In the transaction that ends an order's predictions: queues its poses after those of the user's other screens. */
export async function startPoses(
  { queue, signals }: { queue: BlockQueue; signals: Pick<Signals, 'tell'> },
  trx: Trx,
  orderId: string,
): Promise<void> {
  const order = await trx
    .selectFrom('orders')
    .select(['number', 'kind', 'user_id as userId', 'pose_settings as settings'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (order === undefined || order.settings === null) return
  const { rows: blocks } = await sql<{
    block: number
    place: number
    firstRow: number
    rows: number
    usable: number
  }>`
    select (select max(block) from blocks where order_id = ${orderId})
        + row_number() over (order by place, first)::int as block,
      place, first * ${ROWS_PER_BLOCK}::int as "firstRow", rows, usable
    from order_targets cross join (
      select row / ${ROWS_PER_BLOCK}::int as first, count(*)::int as rows, count(standard)::int as usable
      from order_rows where order_number = ${order.number} group by 1) as cut
    where order_id = ${orderId} and reference is not null order by 1`.execute(trx)
  // Somebody looks at the number of a single pair.
  const turn =
    order.kind === 'single'
      ? await firstTurn(trx, 'pose')
      : await nextTurn(trx, order.userId, 'pose')
  const jobs = blocks.map((_, at) => ({
    id: randomUUID() as string,
    turn: turn + at,
    lane: 'pose' as const,
  }))
  const all = blocks.map(({ firstRow, ...block }, at) => ({
    ...block,
    order_id: orderId,
    user_id: order.userId,
    first_row: firstRow,
    job_id: jobs[at]?.id ?? '',
    turn: jobs[at]?.turn ?? 0,
    lane: 'pose' as const,
    status: 'WAITING' as const,
    done_after: null,
  }))
  for (let from = 0; from < all.length; from += BLOCKS_PER_INSERT) {
    const part = all.slice(from, from + BLOCKS_PER_INSERT)
    await trx.insertInto('blocks').values(part).execute()
  }
  await queue.add(trx, jobs, order.settings.request_id)
  await signals.tell(trx, NEW_WORK)
}

/** Poses that exist are kept. */
export async function cancelPoses(
  trx: Trx,
  queue: BlockQueue,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  const waiting = await trx
    .updateTable('blocks')
    .set({ status: 'CANCELLED' })
    .where('order_id', '=', id)
    .where('user_id', '=', userId)
    .where('lane', '=', 'pose')
    .where('status', '=', 'WAITING')
    .returning('job_id')
    .execute()
  if (waiting.length === 0) return
  await queue.cancel(
    trx,
    waiting.map(({ job_id }) => job_id),
  )
  await centrePoses(trx, id)
}

export type PoseWork = {
  orderId: string
  userId: string
  target: { name: string; chain: string; key: Buffer }
  reference: string
  /** Molecule file of the user's own ligand, if compounds are placed on it. */
  own: string | null
  /** Standard SMILES to compare compounds with; empty if this screen does not use differences. */
  anchors: string[]
  rows: InputRow[]
}

/** Null if the block is no longer needed. */
export async function readPoseWork(db: Database, jobId: string): Promise<PoseWork | null> {
  const block = await db
    .selectFrom('blocks')
    .innerJoin('orders', 'orders.id', 'blocks.order_id')
    .innerJoin('order_targets as target', (join) =>
      join
        .onRef('target.order_id', '=', 'blocks.order_id')
        .onRef('target.place', '=', 'blocks.place'),
    )
    .select(['blocks.order_id as orderId', 'blocks.user_id as userId', 'first_row', 'rows'])
    .select(['target.name', 'chain', 'key', 'reference', 'own_ligand as own'])
    .select('pose_settings as settings')
    .where('job_id', '=', jobId)
    .where('blocks.status', '=', 'WAITING')
    .executeTakeFirst()
  if (block === undefined) return null
  const { orderId, userId, name, chain, key, reference, own, settings, first_row: from } = block
  const rows = await readInput(
    db,
    { id: orderId, targets: [{ name, chain }] },
    { from, to: from + block.rows },
  )
  return {
    orderId,
    userId,
    target: { name, chain, key },
    reference: reference ?? '',
    own,
    anchors: settings?.anchors ?? [],
    rows,
  }
}

/**
 * After the turn of a block that was too short for all of its rows: the others become a block of their own, queued
 * behind those that wait.
 */
export async function queueRest(trx: Trx, queue: BlockQueue, jobId: string, done: number) {
  const block = await trx
    .selectFrom('blocks')
    .innerJoin('orders', 'orders.id', 'blocks.order_id')
    .select(['order_id', 'blocks.user_id', 'place', 'first_row', 'rows', 'usable'])
    .select(['number', 'pose_settings as settings'])
    .where('job_id', '=', jobId)
    .where('blocks.status', '=', 'WAITING')
    .executeTakeFirst()
  if (block === undefined || block.rows <= done) return
  const { number, settings, ...cut } = block
  const firstRow = cut.first_row + done
  const { last, usable } = await trx
    .selectFrom('order_rows')
    .select(({ fn }) => fn.count<number>('standard').as('usable'))
    .select(
      sql<number>`(select max(block) from blocks where order_id = ${cut.order_id})`.as('last'),
    )
    .where('order_number', '=', number)
    .where('row', '>=', firstRow)
    .where('row', '<', cut.first_row + cut.rows)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('blocks')
    .set({ rows: done, usable: cut.usable - usable })
    .where('job_id', '=', jobId)
    .execute()
  const rest = {
    id: randomUUID() as string,
    turn: await nextTurn(trx, cut.user_id, 'pose'),
    lane: 'pose' as const,
  }
  await trx
    .insertInto('blocks')
    .values({
      ...cut,
      block: last + 1,
      first_row: firstRow,
      rows: cut.rows - done,
      usable,
      job_id: rest.id,
      turn: rest.turn,
      lane: 'pose',
      status: 'WAITING',
      done_after: null,
    })
    .execute()
  await queue.add(trx, [rest], settings?.request_id ?? '')
}

/** Ends a waiting block; `rows` null: it failed. */
export async function settlePoses(
  trx: Trx,
  jobId: string,
  rows: PlacedRow[] | null,
): Promise<void> {
  const block = await trx
    .updateTable('blocks')
    .set({ status: rows === null ? 'FAILED' : 'DONE' })
    .where('job_id', '=', jobId)
    .where('status', '=', 'WAITING')
    .returning(['order_id as orderId', 'place', 'first_row as firstRow'])
    .executeTakeFirst()
  if (block === undefined) return
  const { orderId, place, firstRow } = block
  const { number } = await trx
    .selectFrom('orders')
    .select('number')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const poses = (rows ?? []).flatMap((found, at) => {
    if (found === null) return []
    const key = { order_number: number, row: firstRow + at, place: place ?? 0 }
    if (typeof found === 'string') return { ...key, reason: found }
    const { pose, similarity, difference, keepsStereo, x } = found
    return { ...key, pose, similarity, difference, keeps_stereo: keepsStereo, x: [...x] }
  })
  if (poses.length > 0) {
    await trx.insertInto('poses').values(poses).execute()
    const bytes = poses.reduce((sum, one) => sum + poseBytes('x' in one ? one.x.length / 3 : 0), 0)
    await trx
      .updateTable('orders')
      .set({ bytes: sql`bytes + ${bytes}::int` })
      .where('number', '=', number)
      .execute()
  }
  await centrePoses(trx, orderId)
}

/** After the last block: what each feature is compared with, the mean over the compounds placed together, unless it is known. */
async function centrePoses(trx: Trx, orderId: string): Promise<void> {
  await sql`update order_targets set placed = centre.placed, pose_mean = centre.pose,
      similarity_mean = centre.similarity, difference_mean = centre.difference
    from (select place, count(*)::int as placed, avg(pose) as pose, avg(similarity) as similarity,
        avg(difference) as difference
      from poses where order_number = (select number from orders where id = ${orderId}) and reason is null
        and not exists (select from blocks where order_id = ${orderId} and lane = 'pose' and status = 'WAITING')
      group by place) as centre
    where order_id = ${orderId} and order_targets.place = centre.place and order_targets.placed is null`.execute(
    trx,
  )
}

export type PoseState = Pick<
  Screen,
  'structure_status' | 'structure_total' | 'structure_done' | 'structure_message'
>

const noPoses: PoseState = {
  structure_status: null,
  structure_total: null,
  structure_done: null,
  structure_message: null,
}

type Placing = {
  id: string
  targets: number
  total: number
  status: string
  pose_settings: object | null
}

/** How far the poses of screens are, by order. */
export async function readPoseStates(
  db: Database,
  orders: Placing[],
): Promise<(order: Placing) => PoseState> {
  const ids = orders.flatMap(({ id, pose_settings }) => (pose_settings === null ? [] : [id]))
  if (ids.length === 0) return () => noPoses
  const { rows } = await sql<{ id: string; placed: number; done: number; statuses: string[] }>`
    select id, statuses, coalesce(done, 0)::int as done,
      (select count(reference) from order_targets where order_id = id)::int as placed
    from unnest(${ids}::uuid[]) as wanted (id) cross join lateral (
      select array_agg(distinct status) as statuses, sum(usable) filter (where status in ('DONE', 'FAILED')) as done
      from blocks where order_id = id and lane = 'pose') as poses`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return (order) => {
    const state = found.get(order.id)
    if (state === undefined) return noPoses
    return {
      ...endOf(order, new Set(state.statuses)),
      structure_total: (order.total / order.targets) * state.placed,
      structure_done: state.done,
    }
  }
}

function endOf(order: Placing, statuses: ReadonlySet<string>) {
  const state = (structure_status: Screen['structure_status'], message: string | null = null) => ({
    structure_status,
    structure_message: message,
  })
  if (statuses.has('WAITING')) return state('RUNNING')
  const isOpen = order.status === 'QUEUED' || order.status === 'RUNNING'
  if (statuses.size === 0 && isOpen) return state('QUEUED')
  if (statuses.size === 0 || statuses.has('CANCELLED')) return state('FAILED', cancelMessage)
  if (!statuses.has('FAILED')) return state('DONE')
  return state(statuses.has('DONE') ? 'DONE' : 'FAILED', failedMessage)
}
