/** A screen in memory: input rows, the packed cells of their pairs, and what is known about them. */
import type { ScreenTarget } from '@pkdex/contract'
import type { CompoundFacts } from '#server/files/service.ts'
import type { InputRow } from './plan.ts'
import type { ProfileScore } from './profile-score.ts'
import type { StructureNumbers } from './structure-numbers.ts'

export type ScreenTable = {
  targets: ScreenTarget[]
  /** Index of the first of these rows in the input, from 0. */
  firstRow: number
  rows: InputRow[]
  /** Compound by compound, each with all targets. */
  cells: Buffer
  /** Why the cells of each row have no prediction yet, or never will. */
  missing: (string | null)[]
  /** The model version that predicted each row. */
  versions: string[]
  /** Adjustments by poses; null if the screen has none, or not yet. */
  structure: StructureNumbers | null
  /** Adjusted values are asked for: filters, order and derived numbers use them. */
  isAdjusted?: boolean
  /** What rows show besides predictions, once it was requested. */
  details?: TableDetails
}

/** Facts are keyed by standard SMILES. */
type TableDetails = {
  facts: Map<string, CompoundFacts>
  /** One map per target of the table. */
  measured: ReadonlyMap<string, number>[]
  /** With a profile, one per pair. */
  scores?: TableScores
}

type TableScores = {
  of: (ProfileScore | null)[]
  /** The best score per target; null if no pair has one. */
  best: (ProfileScore | null)[]
}
