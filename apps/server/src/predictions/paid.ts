/**
 * Answers two questions about pairs: has this user paid for them, and is their prediction known? Both answers come from
 * the user's own blocks: a pair is paid for if any block is waiting to predict it or contains its prediction.
 */
import type { Database } from '#server/platform/db/schema.ts'
import { CELL_BYTES, copyCell, hasNumber } from './cells.ts'
import { blocksWith, cellsIn, isFree, type PaidBlock } from './paid-blocks.ts'
import type { PlannedTarget } from './plan.ts'

/** The distinct compounds times the distinct targets. */
export type DistinctPairs = {
  /** Indices by key. */
  compounds: Map<string, number>
  targets: Map<string, number>
  /** One cell per pair, empty if its prediction is not known. */
  cells: Buffer
  /** One byte per pair: its `payment`. */
  paid: Uint8Array
}

export const payment = { none: 0, settled: 1, underWay: 2 } as const

type Keys = { keys: string[]; targets: Pick<PlannedTarget, 'key'>[] }
type Wanted = { userId: string; modelVersion: string; plan: Keys }

export function distinctPairs({ keys, targets: planned }: Keys): DistinctPairs {
  const compounds = placesOf(keys.filter((key) => key !== ''))
  const targets = placesOf(planned.map(({ key }) => key.toString('hex')))
  const count = compounds.size * targets.size
  return {
    compounds,
    targets,
    cells: Buffer.alloc(count * CELL_BYTES),
    paid: new Uint8Array(count),
  }
}

/** Reads which pairs of the plan are known, and which are paid for. */
export async function readPaid(db: Database, { userId, modelVersion, plan }: Wanted) {
  const pairs = distinctPairs(plan)
  for await (const block of blocksWith(db, { userId, modelVersion, pairs })) {
    for (const { cell, place } of cellsIn(block, pairs)) notePayment(block, cell, pairs, place)
  }
  return pairs
}

function notePayment(block: PaidBlock, cell: number, pairs: DistinctPairs, place: number): void {
  const { cells, free } = block
  const isNumber = cells !== null && hasNumber(cells, cell)
  if (!isNumber && block.status !== 'WAITING') return
  const isSettled = isNumber && !isFree(free, cell)
  if (isNumber && !hasNumber(pairs.cells, place)) {
    copyCell({ cells, place: cell }, { cells: pairs.cells, place })
  }
  if (isSettled) pairs.paid[place] = payment.settled
  else if (pairs.paid[place] === payment.none) pairs.paid[place] = payment.underWay
}

export function isPaid(pairs: DistinctPairs, place: number): boolean {
  return pairs.paid[place] !== payment.none
}

export function isKnown(pairs: DistinctPairs, place: number): boolean {
  return hasNumber(pairs.cells, place)
}

export function placeOf(pairs: DistinctPairs, compoundKey: string, keyOfTarget: string): number {
  const compound = pairs.compounds.get(compoundKey)
  const target = pairs.targets.get(keyOfTarget)
  return compound === undefined || target === undefined
    ? -1
    : compound * pairs.targets.size + target
}

/** Gives each distinct key an index. */
function placesOf(keys: string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const key of keys) if (!places.has(key)) places.set(key, places.size)
  return places
}
