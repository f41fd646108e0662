/**
 * How far the pose of a pair moves its prediction. Of several screens that placed the compound in the structure, the one
 * with the most poses counts, because each is relative to the compounds placed together; so a pair has the same number on
 * every page. A compound placed alone is compared with nothing, so its pose counts for nothing.
 */
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import { compoundKey } from './pair-key.ts'
import { readStructureNumbers } from './structure-numbers.ts'

/** By standard SMILES; compounds without a pose are missing. */
export type ReadShifts = (smiles: string[]) => Promise<Map<string, number>>

type Wanted = { userId: string; keys: Buffer[]; modelVersion: string }
/** `number`: of the order. */
type Run = { id: string; number: number; place: number; key: Buffer }

/** By sequence key; null if none of the user's screens placed compounds in such a structure. */
export async function openPoseShifts(
  db: Database,
  { userId, keys, modelVersion }: Wanted,
): Promise<(key: Buffer) => ReadShifts | null> {
  const { rows } = await sql<Run>`
    select orders.id, orders.number, order_targets.place, order_targets.key
    from structure_runs join orders on orders.id = structure_runs.order_id
    join order_targets on order_targets.order_id = orders.id
    cross join lateral (select sum(block.placed) as poses from structure_blocks as block
      where block.order_id = orders.id and block.place = order_targets.place) as placed
    where orders.user_id = ${userId} and structure_runs.status in ('DONE', 'FAILED')
      and order_targets.key = any(${keys}::bytea[]) and poses > 1
      and ${modelVersion} = any(string_to_array(orders.model_version, ', '))
    order by poses desc, orders.created_at desc, orders.id, order_targets.place`.execute(db)
  const runsOf = Map.groupBy(rows, ({ key }) => Buffer.from(key).toString('latin1'))
  return (key) => {
    const runs = runsOf.get(key.toString('latin1'))
    return runs === undefined ? null : (smiles) => readShifts(db, runs, smiles)
  }
}

async function readShifts(
  db: Database,
  runs: Run[],
  smiles: string[],
): Promise<Map<string, number>> {
  const shifts = new Map<string, number>()
  let missing = [...new Set(smiles)]
  for (const run of runs) {
    if (missing.length === 0) break
    const rowOf = await findRows(db, run.number, missing)
    const rows = [...new Set(rowOf.values())]
    const structure = rows.length === 0 ? null : await readStructureNumbers(db, run.id, { rows })
    for (const [one, row] of rowOf) {
      const shift = structure?.(row, run.place)
      if (typeof shift === 'number') shifts.set(one, shift)
    }
    missing = missing.filter((one) => !shifts.has(one))
  }
  return shifts
}

/** The first row of each compound in the screen, by standard SMILES. */
async function findRows(
  db: Database,
  orderNumber: number,
  smiles: string[],
): Promise<Map<string, number>> {
  const smilesOf = new Map(smiles.map((one) => [compoundKey(one).toString('latin1'), one]))
  const keys = [...smilesOf.keys()].map((key) => Buffer.from(key, 'latin1'))
  const { rows } = await sql<{ key: Buffer; row: number }>`
    select compound_key as key, min(row) as row from order_rows
    where order_number = ${orderNumber}::int and compound_key = any(${keys}::bytea[]) group by compound_key`.execute(
    db,
  )
  return new Map(
    rows.map(({ key, row }) => [smilesOf.get(Buffer.from(key).toString('latin1')) ?? '', row]),
  )
}
