/** A screen as it is read: rows of the input, the packed cells of their pairs, and what is known beside them. */
import type { ScreenTarget } from '@pkdex/contract'
import type { CompoundFacts } from '#server/files/service.ts'
import type { InputRow } from './plan.ts'
import type { ProfileScore } from './profile-score.ts'
import type { StructureNumbers } from './structure-numbers.ts'

export type ScreenTable = {
  targets: ScreenTarget[]
  /** Place of the first of these rows in the input, from 0. */
  firstRow: number
  rows: InputRow[]
  /** Compound by compound, each with all targets. */
  cells: Buffer
  /** Why cells of a row have no number yet, or never will. */
  missing: (string | null)[]
  /** Of the model that predicted each row. */
  versions: string[]
  /** What poses make of the numbers; null where the screen has none, or not yet. */
  structure: StructureNumbers | null
  /** What rows say beside predictions, once it was asked for. */
  details?: TableDetails
}

/** By standard SMILES. */
type TableDetails = {
  facts: Map<string, CompoundFacts>
  /** One per target of the table. */
  measured: ReadonlyMap<string, number>[]
  /** With a profile, one per pair. */
  scores?: TableScores
}

type TableScores = {
  of: (ProfileScore | null)[]
  /** Of each target; null where no pair has a score. */
  best: (ProfileScore | null)[]
}
