/** Below this many words a chain is too short for its shared words to mean kinship. */
const identityWordsMin = 40

/**
 * How alike two targets are: shared identity words over those of the smaller set, so that a construct
 * within a target answers 1. Sets below a floor are divided by the floor: a short peptide resembles nothing.
 */
export function wordContainment(shared: number, wordsA: number, wordsB: number): number {
  return shared / Math.max(Math.min(wordsA, wordsB), identityWordsMin)
}
