/** Cuts a plan into blocks of one job each: some rows with all targets. Known predictions are filled in. */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { CELL_BYTES, copyCell } from './cells.ts'
import { type DistinctPairs, isKnown, payment, placeOf } from './paid.ts'
import { setFree } from './paid-blocks.ts'
import { type InputRow, NO_KEY, type Plan } from './plan.ts'

const ROWS_MAX = 256
/** A few seconds of work for one thread: the most that is lost if a worker dies. */
const PAIRS_MAX = 4096

const toGzip = promisify(gzip)
const fromGzip = promisify(gunzip)

export type CutBlock = {
  firstRow: number
  rows: InputRow[]
  keys: string[]
  usable: number
  compounds: Buffer
}

export type FilledBlock = CutBlock & {
  jobId: string
  isDone: boolean
  /** Null if nothing is known yet: an empty buffer would be written to the database twice. */
  cells: Buffer | null
  /** One bit per cell whose pair another order pays for; null if there is none. */
  free: Buffer | null
}

/** Needs no database, so it can run before the transaction. */
export async function cutBlocks(plan: Plan): Promise<CutBlock[]> {
  const size = Math.min(ROWS_MAX, Math.max(1, Math.floor(PAIRS_MAX / plan.targets.length)))
  const blocks: CutBlock[] = []
  for (let firstRow = 0; firstRow < plan.rows.length; firstRow += size) {
    const rows = plan.rows.slice(firstRow, firstRow + size)
    const keys = plan.keys.slice(firstRow, firstRow + size)
    const usable = rows.filter(({ standard }) => standard !== null).length
    blocks.push({ firstRow, rows, keys, usable, compounds: await packRows(rows) })
  }
  return blocks
}

/** Fills in known predictions. `paid`: the number of distinct pairs that no order pays for yet. */
export function fillBlocks(
  plan: Plan,
  blocks: CutBlock[],
  pairs: DistinctPairs,
): { blocks: FilledBlock[]; paid: number } {
  const unpaid = pairs.paid.filter((one) => one === payment.none).length
  const targetKeys = plan.targets.map(({ key }) => key.toString('hex'))
  return { blocks: blocks.map((block) => fillBlock(block, targetKeys, pairs)), paid: unpaid }
}

function fillBlock(block: CutBlock, targetKeys: string[], pairs: DistinctPairs): FilledBlock {
  const count = block.rows.length * targetKeys.length
  const cells = Buffer.alloc(count * CELL_BYTES)
  const free = Buffer.alloc(Math.ceil(count / 8))
  let [missing, known, freed] = [0, 0, 0]
  for (const [row, compound] of block.keys.entries()) {
    if (compound === '') continue
    for (const [column, target] of targetKeys.entries()) {
      const place = placeOf(pairs, compound, target)
      const cell = row * targetKeys.length + column
      if (isKnown(pairs, place)) {
        known += 1
        copyCell({ cells: pairs.cells, place }, { cells, place: cell })
      } else missing += 1
      if (pairs.paid[place] === payment.underWay) {
        freed += 1
        setFree(free, cell, true)
      }
    }
  }
  return {
    ...block,
    jobId: randomUUID(),
    isDone: missing === 0,
    cells: known === 0 ? null : cells,
    free: freed === 0 ? null : free,
  }
}

export function packKeys(keys: string[]): Buffer {
  return Buffer.from(keys.map((key) => key || NO_KEY).join(''), 'latin1')
}

const PackedRows = z.array(
  z.tuple([z.string(), z.string(), z.string().nullable(), z.string().nullable()]),
)

export function packRows(rows: InputRow[]): Promise<Buffer> {
  return toGzip(
    JSON.stringify(
      rows.map(({ name, smiles, standard, reason }) => [name, smiles, standard, reason]),
    ),
  )
}

export async function unpackRows(compounds: Buffer): Promise<InputRow[]> {
  const rows = PackedRows.parse(JSON.parse((await fromGzip(compounds)).toString('utf8')))
  return rows.map(([name, smiles, standard, reason]) => ({ name, smiles, standard, reason }))
}
