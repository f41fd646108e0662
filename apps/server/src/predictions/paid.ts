/**
 * Two questions about pairs: has this user paid for them, and is their number known? Both are answered by the user's
 * own blocks: a block that waits is paid for, and so is a number in any block.
 */
import type { Database } from '#server/platform/db/schema.ts'
import { CELL_BYTES, copyCell, hasNumber } from './cells.ts'
import { blocksWith, cellsIn, isFree, type PaidBlock } from './paid-blocks.ts'
import type { PlannedTarget } from './plan.ts'

/** Different compounds by different targets. */
export type DistinctPairs = {
  /** Places by key. */
  compounds: Map<string, number>
  targets: Map<string, number>
  /** With the number of each pair that is known. */
  cells: Buffer
  /** A byte a pair: how it is paid for. */
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

/** What of the plan is known, and what is paid for. */
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

/** Is this pair paid? */
export function isPaid(pairs: DistinctPairs, place: number): boolean {
  return pairs.paid[place] !== payment.none
}

/** Is its number known? */
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

/** Each different key with its place among them. */
function placesOf(keys: string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const key of keys) if (!places.has(key)) places.set(key, places.size)
  return places
}
