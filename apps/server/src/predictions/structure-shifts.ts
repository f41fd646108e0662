/** How far the poses of a screen shift predictions of compounds given by molecule, such as measured ones. */
import type { AskedPair } from '@pkdex/contract'
import { sql } from 'kysely'
import type { ReadShifts, StructureStart } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { compoundKey } from './pair-key.ts'
import { orderNumber } from './screen-table.ts'
import { readStructureNumbers } from './structure-numbers.ts'

/** `target` is an index into the screen's targets. Compounds without a pose in the screen are skipped. */
export function openShifts(db: Database, screenId: string): (column: number) => ReadShifts {
  let found: Promise<Map<string, number>> | null = null
  return (column) => async (smiles) => {
    if (smiles.length === 0) return new Map()
    found ??= findRows(db, screenId)
    const rowOf = await found
    const rows = new Map(
      smiles.flatMap((one) => {
        const row = rowOf.get(compoundKey(one).toString('latin1'))
        return row === undefined ? [] : [[one, row] as const]
      }),
    )
    if (rows.size === 0) return new Map()
    const structure = await readStructureNumbers(db, screenId, { rows: [...rows.values()] })
    return new Map(
      [...rows].flatMap(([one, row]) => {
        const shift = structure?.(row, column)
        return typeof shift === 'number' ? [[one, shift] as const] : []
      }),
    )
  }
}

/** The shift of a pair that the user has; null outside a screen, or if the pair has no pose. */
export async function readStructureStart(
  db: Database,
  { screen, row, column }: Pick<AskedPair, 'screen' | 'row' | 'column'>,
): Promise<StructureStart | null> {
  if (screen === undefined || row === undefined || column === undefined) return null
  const structure = await readStructureNumbers(db, screen, { rows: [row - 1] })
  const shift = structure?.(row - 1, column - 1)
  if (typeof shift !== 'number') return null
  return { shift, readShifts: openShifts(db, screen)(column - 1) }
}

/** The first row of each compound, by compound key. */
async function findRows(db: Database, screenId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: Buffer; row: number }>`
    select compound_key as key, min(row) as row from order_rows
    where order_number = ${orderNumber(screenId)} and compound_key is not null group by compound_key`.execute(
    db,
  )
  return new Map(rows.map(({ key, row }) => [key.toString('latin1'), row]))
}
