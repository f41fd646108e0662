/**
 * Every compound with every target, in numbers without words: what many pairs travel between threads as.
 * Apart from the model, which the process that answers calls must not load.
 */

export type Grid = { targets: string[][]; smiles: string[] }

/** What a grid holds of a pair, and where. */
export const gridColumns = {
  predicted: 0,
  lower: 1,
  upper: 2,
  /** 1: yes. */
  isInside: 3,
  isLigandDriven: 4,
  compoundSimilarity: 5,
  targetSimilarity: 6,
} as const
export const GRID_COLUMNS = 7
