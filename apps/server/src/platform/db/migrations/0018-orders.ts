/**
 * One engine: an order pays for pairs, blocks predict them, readings keep full results. Screens become orders unchanged;
 * each task becomes an order of one pair with the same id, so that it can still be polled and its job still finds it.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db)
  await widenCells(db)
  await sql.raw(`create temporary table task_pairs as ${taskPairs}`).execute(db)
  for (const statement of [...tasksToOrders, ...views]) await sql.raw(statement).execute(db)
  await fillSingles(db)
  await sql.raw(`drop table task_pairs`).execute(db)
}

const tables = [
  `alter table screens rename to orders`,
  `alter table orders alter request_hash drop not null`,
  `alter table orders
    add column kind text not null default 'screen'
      check (kind in ('single', 'call', 'screen', 'measurement')),
    add column name text,
    add column target_id uuid references targets on delete set null,
    add column compound_id uuid references compounds on delete set null,
    add column targets integer not null default 0,
    add column failed integer not null default 0,
    add column bytes bigint not null default 0`,
  `alter table orders alter kind drop default`,
  `alter index screens_list rename to orders_list`,
  `alter index screens_open rename to orders_open`,
  `create index orders_target on orders (target_id) where target_id is not null`,
  `create index orders_compound on orders (compound_id) where compound_id is not null`,
  `alter table screen_targets rename to order_targets`,
  `alter table order_targets rename column screen_id to order_id`,
  `alter table order_targets add column user_id uuid`,
  `update order_targets set user_id = orders.user_id from orders where orders.id = order_id`,
  `alter table order_targets alter user_id set not null`,
  `drop index screen_targets_key`,
  `create index order_targets_key on order_targets (user_id, key)`,
  `alter table screen_blocks rename to blocks`,
  `alter table blocks rename column screen_id to order_id`,
  // Pairs without a prediction that another order of the user pays for: one bit per cell; null if there are none.
  `alter table blocks add column free bytea`,
  `alter table blocks add column is_small boolean not null default false`,
  `drop index screen_blocks_waiting`,
  `create index blocks_waiting on blocks (is_small, turn) where status = 'WAITING'`,
  `alter table blocks drop column paid`,
  `alter index screen_blocks_job rename to blocks_job`,
  `create index blocks_single on blocks (user_id, compound_keys) where rows = 1`,
  `update orders set
    targets = (select count(*) from order_targets where order_id = orders.id),
    failed = coalesce((select sum(case when status in ('FAILED', 'CANCELLED') then usable else 0 end)
      from blocks where order_id = orders.id), 0),
    bytes = coalesce((select sum(length(blocks.compounds) + length(compound_keys) + coalesce(length(cells), 0))
      from blocks where order_id = orders.id), 0)`,
  `create table readings (
    user_id uuid not null references users on delete cascade,
    sequence_key bytea not null,
    compound_key bytea not null,
    model_version text not null,
    result jsonb not null,
    predicted_at timestamptz not null,
    primary key (user_id, sequence_key, compound_key, model_version)
  )`,
  `alter table ledger drop constraint ledger_reason_check`,
  `alter table ledger add constraint ledger_reason_check check (reason in
    ('first sign-in', 'prediction', 'refund', 'administrator', 'screen', 'screen refund'))`,
]

/**
 * A task whose target or compound was deleted has keys that match no pair: its result can be read, but not found by a
 * pair.
 */
const taskPairs = `select tasks.*, targets.name as target, compounds.name as compound,
    compounds.smiles, compounds.standard_smiles,
    coalesce(targets.segments -> target_chain, '[]') as segments,
    coalesce(sequence_key(targets.segments, target_chain), sha256(convert_to(tasks.id::text, 'UTF8'))) as key,
    substring(coalesce(compounds.content_hash, sha256(convert_to('no ' || tasks.id::text, 'UTF8'))) for 8)
      as compound_key
  from tasks left join targets on targets.id = target_id left join compounds on compounds.id = compound_id`

const tasksToOrders = [
  `insert into orders (id, user_id, kind, target_id, compound_id, targets, failed, status, total, done, known,
      compounds, paid, credits_per_pair, credits_charged, model_version, message, created_at, started_at, finished_at)
    select id, user_id, 'single', target_id, compound_id, 1, (status = 'FAILURE')::int,
      case status when 'PENDING' then 'QUEUED' when 'STARTED' then 'RUNNING' when 'SUCCESS' then 'DONE' else 'FAILED' end,
      1, (status in ('SUCCESS', 'FAILURE'))::int, (credits_charged = 0)::int, 1, (credits_charged > 0)::int,
      credits_charged, case status when 'FAILURE' then 0 else credits_charged end,
      coalesce(model_version, ''), message, created_at, started_at, finished_at
    from task_pairs`,
  `insert into order_targets (order_id, place, name, chain, segments, key, user_id)
    select id, 0, coalesce(target, ''), target_chain, segments, key, user_id from task_pairs`,
  // If a pair has two results, the later one is kept.
  `insert into readings (user_id, sequence_key, compound_key, model_version, result, predicted_at)
    select distinct on (user_id, key, compound_key, model_version)
      user_id, key, compound_key, model_version, result, coalesce(finished_at, created_at)
    from task_pairs where status = 'SUCCESS' and result is not null and model_version is not null
    order by user_id, key, compound_key, model_version, finished_at desc`,
  `drop table tasks`,
]

/** A single prediction as the API returns it, with its result if there is one. */
const views = [
  `create view tasks as
    select orders.id, orders.user_id, orders.target_id, orders.compound_id,
      order_targets.chain as target_chain,
      case orders.status when 'QUEUED' then 'PENDING' when 'RUNNING' then 'STARTED' when 'DONE' then 'SUCCESS'
        else 'FAILURE' end as status,
      case when orders.status = 'DONE' then readings.result end as result,
      orders.message, orders.model_version, orders.credits_charged,
      orders.created_at, orders.started_at, orders.finished_at
    from orders
    join order_targets on order_targets.order_id = orders.id and order_targets.place = 0
    join blocks on blocks.order_id = orders.id and blocks.block = 0
    left join readings on readings.user_id = orders.user_id and readings.sequence_key = order_targets.key
      and readings.compound_key = blocks.compound_keys and readings.model_version = orders.model_version
    where orders.kind = 'single'`,
]

const toGzip = promisify(gzip)
const ROWS_AT_ONCE = 500

type TaskPair = {
  id: string
  user_id: string
  status: string
  credits_charged: number
  compound: string | null
  smiles: string | null
  standard_smiles: string | null
  compound_key: Buffer
  result: { predicted_kd: number; [field: string]: unknown } | null
}

/** A block of one row for each task. */
async function fillSingles(db: Kysely<unknown>): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<TaskPair>`select * from task_pairs where id > ${after} order by id
      limit ${ROWS_AT_ONCE}`.execute(db)
    for (const row of rows) await addBlock(db, row)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

const blockStatus = new Map([
  ['PENDING', 'WAITING'],
  ['STARTED', 'WAITING'],
  ['SUCCESS', 'DONE'],
])

async function addBlock(db: Kysely<unknown>, task: TaskPair): Promise<void> {
  const { compound, smiles, standard_smiles: standard } = task
  const packed = await toGzip(JSON.stringify([[compound ?? '', smiles ?? '', standard, null]]))
  const status = blockStatus.get(task.status) ?? 'FAILED'
  const isOpen = status === 'WAITING'
  await sql`insert into blocks (order_id, block, job_id, user_id, status, first_row, rows, usable,
      predicted, turn, done_after, compounds, compound_keys, cells, free, is_small)
    values (${task.id}, 0, ${task.id}, ${task.user_id}, ${status}, 0, 1, 1,
      ${status === 'DONE' ? 1 : 0}, 0, ${isOpen ? null : 1}, ${packed}, ${task.compound_key},
      ${task.result === null ? null : cellOf(task.result)},
      ${isOpen && Number(task.credits_charged) === 0 ? Buffer.of(1) : null}, true)`.execute(db)
}

/** In the form of `cells.ts` at this migration: millionths of a pKd, flags, similarities in 255ths. */
function cellOf(result: Record<string, unknown>): Buffer {
  const cell = Buffer.alloc(NEW_BYTES)
  const part = (name: string, field: string) => {
    const holder = result[name]
    const value: unknown =
      typeof holder === 'object' && holder !== null ? Reflect.get(holder, field) : undefined
    return value
  }
  const predicted = Number(result['predicted_kd'])
  const lower = Number(part('interval', 'lower') ?? predicted)
  const upper = Number(part('interval', 'upper') ?? predicted)
  cell.writeInt32LE(Math.round(predicted * 1e6), 0)
  cell.writeInt32LE(Math.round(lower * 1e6), 4)
  cell.writeInt32LE(Math.round(upper * 1e6), 8)
  const isInside = part('domain', 'is_inside') === true ? 2 : 0
  const state = stateBits.get(part('domain', 'state')) ?? 0
  const isLigandDriven = part('domain', 'is_ligand_driven') === true ? 4 : 0
  cell[12] = 1 | isInside | isLigandDriven | state
  cell[13] = Math.round(Number(part('nearest_compound', 'similarity') ?? 0) * 255)
  cell[14] = Math.round(similarityOf(result['nearest_targets']) * 255)
  return cell
}

/** Similarity of the closest target, which is the first. */
function similarityOf(targets: unknown): number {
  const first: unknown = Array.isArray(targets) ? targets[0] : undefined
  return typeof first === 'object' && first !== null ? Number(Reflect.get(first, 'similarity')) : 0
}

const stateBits = new Map<unknown, number>([
  ['known_on_target', 16],
  ['known_on_other_targets', 32],
])

const OLD_BYTES = 9
const NEW_BYTES = 15

/** Converts thousandths of a pKd in two bytes to millionths in four. */
async function widenCells(db: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ order_id: string; block: number; cells: Buffer; bytes: number }>`
      select order_id, block, cells from blocks
      where cells is not null and length(cells) = rows * ${OLD_BYTES} * (
        select targets from orders where id = order_id)
      limit 50`.execute(db)
    for (const { order_id, block, cells } of rows) {
      await sql`update blocks set cells = ${widen(cells)}
        where order_id = ${order_id} and block = ${block}`.execute(db)
    }
    if (rows.length === 0) return
  }
}

function widen(old: Buffer): Buffer {
  const count = old.length / OLD_BYTES
  const cells = Buffer.alloc(count * NEW_BYTES)
  for (let place = 0; place < count; place += 1) {
    const [from, to] = [place * OLD_BYTES, place * NEW_BYTES]
    const predicted = old.readInt16LE(from)
    cells.writeInt32LE(predicted * 1000, to)
    cells.writeInt32LE((predicted - old.readUInt16LE(from + 2)) * 1000, to + 4)
    cells.writeInt32LE((predicted + old.readUInt16LE(from + 4)) * 1000, to + 8)
    old.copy(cells, to + 12, from + 6, from + 9)
  }
  return cells
}
