/**
 * Lists show what users requested: old orders of `POST /predict` become calls instead of screens, and the free tasks
 * that were created when a cell of a screen was opened are marked as by-products.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await findCalls(db)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Later orders have the right kind, and no by-products. */
const isOld = `orders.created_at < (
  select timestamp::timestamptz from kysely_migration where name = '0018-orders')`

const statements = [
  `alter table orders add column is_by_product boolean not null default false`,
  `update orders set is_by_product = true
    where kind = 'single' and credits_per_pair = 0 and ${isOld} and exists (
      select from order_targets own
      join blocks cell on cell.order_id = own.order_id
      join order_targets column_of on column_of.user_id = own.user_id and column_of.key = own.key
      join orders screen on screen.id = column_of.order_id
      join blocks on blocks.order_id = screen.id
      where own.order_id = orders.id and screen.kind in ('screen', 'call')
        and screen.credits_per_pair > 0 and screen.created_at <= orders.created_at
        and position(cell.compound_keys in blocks.compound_keys) > 0)`,
  `create or replace view tasks as
    select orders.id, orders.user_id, orders.target_id, orders.compound_id,
      order_targets.chain as target_chain,
      case orders.status when 'QUEUED' then 'PENDING' when 'RUNNING' then 'STARTED' when 'DONE' then 'SUCCESS'
        else 'FAILURE' end as status,
      case when orders.status = 'DONE' then readings.result end as result,
      orders.message, orders.model_version, orders.credits_charged,
      orders.created_at, orders.started_at, orders.finished_at, orders.is_by_product
    from orders
    join order_targets on order_targets.order_id = orders.id and order_targets.place = 0
    join blocks on blocks.order_id = orders.id and blocks.block = 0
    left join readings on readings.user_id = orders.user_id and readings.sequence_key = order_targets.key
      and readings.compound_key = blocks.compound_keys and readings.model_version = orders.model_version
    where orders.kind = 'single'`,
]

type OldScreen = { id: string; request_hash: Buffer; name: string; chain: string }

/** A call names its molecules by their SMILES, on one target. */
async function findCalls(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<OldScreen>`select orders.id, request_hash, order_targets.name, chain
    from orders join order_targets on order_id = orders.id
    where kind = 'screen' and targets = 1 and ${sql.raw(isOld)}`.execute(db)
  for (const screen of rows) {
    const molecules = await readMolecules(db, screen.id)
    if (molecules !== null && !isOfLibrary(screen, molecules)) {
      await sql`update orders set kind = 'call' where id = ${screen.id}`.execute(db)
    }
  }
}

const fromGzip = promisify(gunzip)

/** Names of the rows; null unless every name is the row's SMILES. */
async function readMolecules(db: Kysely<unknown>, id: string): Promise<string[] | null> {
  const names: string[] = []
  for (let block = 0; ; block += 1) {
    const { rows } = await sql<{ compounds: Buffer }>`
      select compounds from blocks where order_id = ${id} and block = ${block}`.execute(db)
    const [one] = rows
    if (one === undefined) return names
    const packed: [name: string, smiles: string][] = JSON.parse(
      (await fromGzip(one.compounds)).toString('utf8'),
    )
    if (packed.some(([name, smiles]) => name !== smiles)) return null
    names.push(...packed.map(([name]) => name))
  }
}

/** Whether the order was a `POST /screens` request: stored compounds, too, may be named by their SMILES. */
function isOfLibrary({ request_hash: hash, name, chain }: OldScreen, names: string[]): boolean {
  const targets = [name, { name }, { name, chain }]
  const compounds = ['all', names]
  return targets.some((target) =>
    compounds.some((some) => hash.equals(hashOf({ targets: [target], compounds: some }))),
  )
}

function hashOf(request: object): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest()
}
