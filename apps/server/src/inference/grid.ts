/**
 * Every compound with every target, in numbers only: the form in which pairs are sent between threads. Separate from
 * the model, which the API process must not load.
 */
import type { CompoundFeatures } from '@pkdex/biochem'
import type { DomainState } from '@pkdex/contract'

/** `features`: of each SMILES; those that are not known yet are computed. */
export type Grid = {
  targets: string[][]
  smiles: string[]
  features?: (CompoundFeatures | undefined)[]
}

/** The columns of a grid, per pair. */
export const gridColumns = {
  predicted: 0,
  lower: 1,
  upper: 2,
  /** 1: yes, known on this target. */
  isInside: 3,
  isLigandDriven: 4,
  compoundSimilarity: 5,
  targetSimilarity: 6,
  /** 1: yes, known on other targets only. */
  isKnownElsewhere: 7,
} as const
export const GRID_COLUMNS = 8

/** `columns`: of one pair. */
export function domainStateIn(columns: Float32Array): DomainState {
  if (columns[gridColumns.isInside] === 1) return 'known_on_target'
  return columns[gridColumns.isKnownElsewhere] === 1 ? 'known_on_other_targets' : 'outside'
}
