/** Cuts a plan into blocks, each of which is one job: some rows with all targets, what is known of them filled in. */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { CELL_BYTES, copyCell, hasNumber } from './cells.ts'
import { type DistinctPairs, placeOf } from './known.ts'
import { type InputRow, NO_KEY, type Plan } from './plan.ts'

const ROWS_MAX = 256
/** A few seconds of work for one thread: as much as a worker that dies loses. */
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
  /** Different pairs that are not known and stand in no block before this one. */
  paid: number
  isDone: boolean
  /** Null where nothing is known yet: an empty buffer would be written twice. */
  cells: Buffer | null
}

/** Takes no database, so that it is done before the transaction. */
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

export function fillBlocks(plan: Plan, blocks: CutBlock[], pairs: DistinctPairs): FilledBlock[] {
  const paidFor = new Uint8Array(pairs.cells.length / CELL_BYTES)
  const targetKeys = plan.targets.map(({ key }) => key.toString('hex'))
  return blocks.map((block) => {
    const cells = Buffer.alloc(block.rows.length * targetKeys.length * CELL_BYTES)
    let [paid, missing, known] = [0, 0, 0]
    for (const [row, compound] of block.keys.entries()) {
      if (compound === '') continue
      for (const [column, target] of targetKeys.entries()) {
        const place = placeOf(pairs, compound, target)
        if (hasNumber(pairs.cells, place)) {
          known += 1
          copyCell(
            { cells: pairs.cells, place },
            { cells, place: row * targetKeys.length + column },
          )
          continue
        }
        missing += 1
        if (paidFor[place] === 0) paid += 1
        paidFor[place] = 1
      }
    }
    return {
      ...block,
      jobId: randomUUID(),
      paid,
      isDone: missing === 0,
      cells: known === 0 ? null : cells,
    }
  })
}

export function packKeys(keys: string[]): Buffer {
  return Buffer.from(keys.map((key) => key || NO_KEY).join(''), 'latin1')
}

const PackedRows = z.array(
  z.tuple([z.string(), z.string(), z.string().nullable(), z.string().nullable()]),
)

function packRows(rows: InputRow[]): Promise<Buffer> {
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
