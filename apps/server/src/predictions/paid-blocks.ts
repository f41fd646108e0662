/** Finds the blocks of a user that may contain some pairs, and the cells of these pairs. */
import { type RawBuilder, sql } from 'kysely'
import type { BlocksTable, Database, OrdersTable } from '#server/platform/db/schema.ts'
import { COMPOUND_KEY_BYTES } from './pair-key.ts'

/** Indices of compounds and targets by key. */
type Sought = { compounds: Map<string, number>; targets: Map<string, number> }

export type PaidBlock = Pick<BlocksTable, 'block' | 'status' | 'cells' | 'free'> & {
  orderId: string
  creditsPerPair: number
  orderedAt: Date
  modelVersion: string
  keys: Buffer
  /** Hexadecimal, in column order. */
  targetKeys: string[]
}

/** The cells of a block whose pair is one of `pairs`, with the index of that pair. */
export function* cellsIn(
  { keys, targetKeys }: Pick<PaidBlock, 'keys' | 'targetKeys'>,
  pairs: Sought,
): Generator<{ cell: number; place: number }> {
  const columns = targetKeys.flatMap((key, column) => {
    const target = pairs.targets.get(key)
    return target === undefined ? [] : [{ column, target }]
  })
  if (columns.length === 0) return
  for (let row = 0; row * COMPOUND_KEY_BYTES < keys.length; row += 1) {
    const start = row * COMPOUND_KEY_BYTES
    const compound = pairs.compounds.get(keys.toString('latin1', start, start + COMPOUND_KEY_BYTES))
    if (compound === undefined) continue
    for (const { column, target } of columns) {
      yield {
        cell: row * targetKeys.length + column,
        place: compound * pairs.targets.size + target,
      }
    }
  }
}

/** Orders per query. */
const PAGE_ORDERS = 200
/** Blocks per query: others can use the single embedded connection in between, and memory stays small. */
const PAGE_BLOCKS = 100
/** Up to this many compounds, the database searches the keys itself. */
const SOUGHT_MAX = 8

type Asked = {
  userId: string
  /** Predictions of this model only. Waiting blocks of any version are included, without predictions of another. */
  modelVersion?: string
  /** Predictions of all other versions instead, oldest order first. */
  isEarlier?: boolean
  pairs: Sought
  except?: string
}

/** Blocks of the user that may contain one of these pairs, except those of orders that charge nothing. */
export async function* blocksWith(db: Database, asked: Asked): AsyncGenerator<PaidBlock> {
  const { targets, compounds } = asked.pairs
  if (targets.size === 0 || compounds.size === 0) return
  const orders = await findOrders(db, asked)
  for (let first = 0; first < orders.length; first += PAGE_ORDERS) {
    yield* blocksOf(db, orders.slice(first, first + PAGE_ORDERS), asked)
  }
}

type Order = Pick<PaidBlock, 'creditsPerPair' | 'orderedAt'> & { id: string }

async function* blocksOf(db: Database, orders: Order[], asked: Asked): AsyncGenerator<PaidBlock> {
  const ids = orders.map(({ id }) => id)
  const byId = new Map(orders.map((order) => [order.id, order]))
  const targetKeys = await readTargetKeys(db, ids)
  for (let after: Position | null = null; ;) {
    const blocks: BlockRow[] = await pageOfBlocks(db, ids, { after, asked })
    for (const block of blocks) {
      const order = byId.get(block.orderId)
      if (order === undefined) continue
      const { id, ...of } = order
      const cells = hasNumbersOf(asked, block.modelVersion) ? block.cells : null
      yield { ...block, ...of, cells, targetKeys: targetKeys.get(id) ?? [] }
    }
    after = blocks.at(-1) ?? null
    if (after === null || blocks.length < PAGE_BLOCKS) return
  }
}

function hasNumbersOf({ modelVersion, isEarlier = false }: Asked, version: string): boolean {
  return modelVersion === undefined || (version !== modelVersion) === isEarlier
}

function isAsked({ modelVersion, isEarlier = false }: Asked): RawBuilder<boolean> {
  if (modelVersion === undefined) return sql`true`
  if (isEarlier) return sql`blocks.model_version <> ${modelVersion}`
  return sql`(blocks.model_version = ${modelVersion} or blocks.status = 'WAITING')`
}

async function findOrders(db: Database, asked: Asked): Promise<Order[]> {
  const { userId, pairs, except } = asked
  const keys = [...pairs.targets.keys()].map((key) => Buffer.from(key, 'hex'))
  const kind: OrdersTable['kind'] = 'measurement'
  const sought = soughtOf(pairs)
  return db
    .selectFrom('orders')
    .select(['id', 'credits_per_pair as creditsPerPair', 'created_at as orderedAt'])
    .where('id', 'in', (query) =>
      query
        .selectFrom('order_targets')
        .select('order_id')
        .where('user_id', '=', userId)
        .where('key', '=', sql<Buffer>`any(${keys}::bytea[])`),
    )
    .where('kind', '<>', kind)
    .where('status', '<>', 'FAILED')
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .$if(sought !== null, (query) =>
      query.where(
        sql<boolean>`exists (select from blocks
          where order_id = orders.id and ${isAsked(asked)} and ${holdsAny(sought)})`,
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

async function readTargetKeys(db: Database, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('order_targets')
    .select(['order_id', 'key'])
    .where('order_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('place')
    .execute()
  const grouped = Map.groupBy(rows, ({ order_id }) => order_id)
  return new Map([...grouped].map(([id, some]) => [id, some.map(({ key }) => key.toString('hex'))]))
}

/** Keys for the database to search; null if there are too many. */
function soughtOf({ compounds }: Sought): Buffer[] | null {
  if (compounds.size > SOUGHT_MAX) return null
  return [...compounds.keys()].map((key) => Buffer.from(key, 'latin1'))
}

function holdsAny(sought: Buffer[] | null): RawBuilder<boolean> {
  const found = (sought ?? []).map(
    (key) => sql<boolean>`position(${key}::bytea in blocks.compound_keys) > 0`,
  )
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}

type Position = { orderId: string; block: number }
type BlockRow = Omit<PaidBlock, keyof Omit<Order, 'id'> | 'targetKeys'>

function pageOfBlocks(
  db: Database,
  ids: string[],
  { after, asked }: { after: Position | null; asked: Asked },
): Promise<BlockRow[]> {
  const sought = soughtOf(asked.pairs)
  return db
    .selectFrom('blocks')
    .select(['order_id as orderId', 'block', 'status', 'cells', 'free'])
    .select(['compound_keys as keys', 'model_version as modelVersion'])
    .where('order_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(isAsked(asked))
    .where((where) => where.or([where('status', '=', 'WAITING'), where('cells', 'is not', null)]))
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(order_id, block) > (${after?.orderId}::uuid, ${after?.block}::int)`,
      ),
    )
    .$if(sought !== null, (query) => query.where(holdsAny(sought)))
    .orderBy('order_id')
    .orderBy('block')
    .limit(PAGE_BLOCKS)
    .execute()
}

/** Whether the bit of a cell is set: another order of the user, unsettled at the time, pays for its pair. */
export function isFree(free: Buffer | null, cell: number): boolean {
  return free !== null && ((free[cell >> 3] ?? 0) & (1 << (cell & 7))) !== 0
}

export function setFree(free: Buffer, cell: number, is: boolean): void {
  const bit = 1 << (cell & 7)
  const byte = free[cell >> 3] ?? 0
  free[cell >> 3] = is ? byte | bit : byte & ~bit
}
