/** Moves the results of versions before 0054 from packed blocks into rows, and drops the old columns at the end. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Move } from './move-in-slices.ts'
import type { Trx } from './schema.ts'

/** Blocks per transaction, of at most 4,096 pairs each. */
const BLOCKS_PER_SLICE = 4

export const moveCells: Move = {
  what: 'results',
  isLeft: sql<boolean>`exists (select from information_schema.columns
    where table_schema = current_schema() and table_name = 'blocks' and column_name = 'cells')`,
  count: sql<number>`(select count(*)::int from blocks where compounds is not null)`,
  moveSlice,
  async finish(trx) {
    for (const column of ['compounds', 'compound_keys', 'cells', 'free', 'model_version']) {
      await sql`alter table blocks drop column if exists ${sql.ref(column)}`.execute(trx)
    }
  },
}

type OldBlock = {
  order_id: string
  number: number
  block: number
  first_row: number
  compounds: Buffer
  keys: Buffer
  cells: Buffer | null
  free: Buffer | null
  model_version: string
}

/** Oldest order first: of several rows with the number of one pair, the first one pays. */
async function moveSlice(trx: Trx): Promise<number> {
  const { rows: blocks } = await sql<OldBlock>`
    select order_id, number, block, first_row, blocks.compounds, compound_keys as keys, cells, free,
      blocks.model_version
    from blocks join orders on orders.id = order_id
    where blocks.compounds is not null order by orders.number, block limit ${BLOCKS_PER_SLICE}`.execute(
    trx,
  )
  for (const block of blocks) {
    await moveRows(trx, block)
    await moveNumbers(trx, block)
    await sql`update blocks set compounds = null, cells = null, free = null
      where order_id = ${block.order_id} and block = ${block.block}`.execute(trx)
  }
  return blocks.length
}

const fromGzip = promisify(gunzip)
const KEY_BYTES = 8
type PackedRow = [name: string, smiles: string, standard: string | null, reason: string | null]

async function moveRows(trx: Trx, { number, block, first_row, compounds, keys }: OldBlock) {
  // Erased blocks, and those of some fixtures, have no rows.
  if (compounds.length === 0) return
  const rows = JSON.parse((await fromGzip(compounds)).toString('utf8')) as PackedRow[]
  const column = (at: 0 | 1 | 2 | 3) => rows.map((row) => row[at])
  const compoundKeys = rows.map((_, at) => {
    const key = keys.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES)
    return key.some((byte) => byte !== 0) ? key : null
  })
  await sql`insert into order_rows (order_number, row, block, name, smiles, standard, reason, compound_key)
    select ${number}::int, ${first_row}::int + at - 1, ${block}::int, name, smiles, standard, reason, key
    from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::text[],
      ${compoundKeys}::bytea[]) with ordinality as packed (name, smiles, standard, reason, key, at)`.execute(
    trx,
  )
}

const CELL_BYTES = 15
const flag = {
  hasNumber: 1,
  isInDomain: 2,
  isLigandDriven: 4,
  knownOnTarget: 16,
  knownElsewhere: 32,
}

/** Numbers that were free, because another order that has not ended pays for them, never pay themselves. */
async function moveNumbers(trx: Trx, { order_id, block, first_row, cells, free }: OldBlock) {
  if (cells === null || cells.length === 0) return
  const { rows } = await sql<{ width: number; version: string }>`
    select targets as width, blocks.model_version as version from blocks join orders on id = order_id
    where order_id = ${order_id} and block = ${block}`.execute(trx)
  const { width = 1, version = '' } = rows[0] ?? {}
  const places = Array.from({ length: cells.length / CELL_BYTES }, (_, at) => at).filter(
    (at) => ((cells[at * CELL_BYTES + 12] ?? 0) & flag.hasNumber) !== 0,
  )
  if (places.length === 0) return
  const flags = places.map((at) => cells[at * CELL_BYTES + 12] ?? 0)
  const integers = (from: number) => places.map((at) => cells.readInt32LE(at * CELL_BYTES + from))
  const bytes = (from: number) => places.map((at) => cells[at * CELL_BYTES + from])
  const isFree = places.map((at) => free !== null && ((free[at >> 3] ?? 0) & (1 << (at & 7))) !== 0)
  await sql`insert into pairs (order_number, row, place, sequence_id, compound_key, model_version, predicted, lower,
      upper, domain_state, is_ligand_driven, compound_similarity, target_similarity, is_payer)
    select order_number, row, place, sequence_id, compound_key, ${version}, predicted, lower,
      upper, state::domain_state, is_ligand_driven, compound, target,
      kind <> 'measurement' and not (is_free and is_open)
        and row_number() over (partition by sequence_id, compound_key, is_free and is_open order by row, place) = 1
        and not exists (select from pairs payer where payer.is_payer and payer.sequence_id = numbers.sequence_id
          and payer.compound_key = numbers.compound_key and payer.model_version = ${version})
    from (
      select order_number, order_rows.row, order_targets.place, sequence_id, compound_key, kind, packed.*,
        exists (select from orders open where open.user_id = orders.user_id and open.status in ('QUEUED', 'RUNNING'))
          as is_open
      from unnest(${places.map((at) => first_row + Math.floor(at / width))}::int[],
        ${places.map((at) => at % width)}::int[], ${integers(0)}::int[], ${integers(4)}::int[], ${integers(8)}::int[],
        ${flags.map(stateOf)}::text[], ${flags.map((all) => (all & flag.isLigandDriven) !== 0)}::boolean[],
        ${bytes(13)}::smallint[], ${bytes(14)}::smallint[], ${isFree}::boolean[])
        as packed (at_row, at_place, predicted, lower, upper, state, is_ligand_driven, compound, target, is_free)
      join orders on orders.id = ${order_id}
      join order_rows on order_number = orders.number and order_rows.row = at_row
      join order_targets on order_targets.order_id = orders.id and order_targets.place = at_place
    ) as numbers
    where compound_key is not null`.execute(trx)
}

function stateOf(flags: number): string {
  if ((flags & flag.knownOnTarget) !== 0) return 'known_on_target'
  if ((flags & flag.knownElsewhere) !== 0) return 'known_on_other_targets'
  return (flags & flag.isInDomain) === 0 ? 'outside' : 'inside'
}
