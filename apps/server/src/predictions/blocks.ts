/** Cuts the rows of a plan into blocks of one job each, with all targets. */
import { randomUUID } from 'node:crypto'
import type { Plan } from './plan.ts'

const ROWS_MAX = 256
/** A few seconds of work for one thread: the most that is lost if a worker dies. */
const PAIRS_MAX = 2048

export type CutBlock = {
  jobId: string
  firstRow: number
  rows: number
  /** Rows that can be predicted. */
  usable: number
}

export function cutBlocks({ keys, targets }: Plan): CutBlock[] {
  const size = Math.min(ROWS_MAX, Math.max(1, Math.floor(PAIRS_MAX / targets.length)))
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, block) => {
    const some = keys.slice(block * size, (block + 1) * size)
    const usable = some.filter((key) => key !== '').length
    return { jobId: randomUUID(), firstRow: block * size, rows: some.length, usable }
  })
}
