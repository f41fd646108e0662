/** How far a number can be trusted: its calibrated interval, whether the pair is in the domain, what was measured near. */
import type { PredictionResult } from '@pkdex/contract'
import { BELOW_BY, type NearLabel } from './measured-compounds.ts'
import type { ModelCard } from './model-card.ts'

export type Nearness = { compound: number; target: number }

export function intervalOf(card: ModelCard, affinity: number, near: Nearness) {
  const { level, compoundEdges, targetEdges, halfWidths } = card.calibration
  const half = halfWidths[binOf(targetEdges, near.target)]?.[binOf(compoundEdges, near.compound)]
  if (half === undefined) throw new Error('the calibration table has no such bin')
  return { lower: affinity - half, upper: affinity + half, level }
}

export function domainOf(card: ModelCard, near: Nearness): PredictionResult['domain'] {
  const { compoundSimilarityMin, targetSimilarityMin, ligandDrivenBelow } = card.domain
  const isCompoundKnown = near.compound >= compoundSimilarityMin
  const isTargetKnown = near.target >= targetSimilarityMin
  return {
    is_inside: isCompoundKnown && isTargetKnown,
    is_ligand_driven: near.target < ligandDrivenBelow,
    reason: `${compoundSentence(isCompoundKnown)} ${targetSentence(isTargetKnown, near.target < ligandDrivenBelow)}`,
  }
}

/** What was measured near the pair, as people read it: only on the very target, and of compounds that resemble. */
export function measuredOf(
  card: ModelCard,
  labels: NearLabel[],
  near: Nearness,
): NonNullable<PredictionResult['measured_compounds']> {
  const { compoundSimilarityMin, sameTargetAbove } = card.domain
  if (near.target <= sameTargetAbove) return []
  return labels
    .filter(({ similarity }) => similarity >= compoundSimilarityMin)
    .map(({ value, isBelow, similarity }) => ({
      pk: Number((isBelow ? value + BELOW_BY : value).toFixed(2)),
      is_upper_bound: isBelow,
      similarity,
    }))
}

/** The first bin whose upper end is above the value. */
function binOf(edges: number[], value: number): number {
  const bin = edges.findIndex((edge) => value < edge)
  return bin === -1 ? edges.length : bin
}

function compoundSentence(isKnown: boolean): string {
  return isKnown
    ? 'The compound resembles a training compound'
    : 'No training compound resembles this compound'
}

function targetSentence(isKnown: boolean, isLigandDriven: boolean): string {
  if (isLigandDriven) {
    return 'and no training target resembles this protein, so the estimate rests mainly on the compound.'
  }
  return isKnown
    ? 'and the protein is, or closely resembles, a training target.'
    : 'and the protein is only distantly related to any training target.'
}
