/** How far a number can be trusted: its calibrated interval, whether the pair is in the domain, what was measured near. */
import type { PredictionResult } from '@pkdex/contract'
import { BELOW_BY, type NearLabel } from './measured-compounds.ts'
import type { ModelCard } from './model-card.ts'

export type Nearness = { compound: number; target: number }

/** The wider of what the two nearnesses ask for, and of what was measured on the target (`halfWidth`). */
export function intervalOf(
  card: ModelCard,
  affinity: number,
  near: Nearness & { halfWidth: number },
) {
  const half = Math.max(halfWidthOf(card, near), near.halfWidth)
  return { lower: affinity - half, upper: affinity + half, level: card.calibration.level }
}

/** Half of the interval that the base model's number has by the two nearnesses alone. */
export function halfWidthOf({ calibration }: ModelCard, near: Nearness): number {
  const { compoundEdges, targetEdges, halfWidths } = calibration
  const half = halfWidths[binOf(targetEdges, near.target)]?.[binOf(compoundEdges, near.compound)]
  if (half === undefined) throw new Error('the calibration table has no such bin')
  return half
}

/** What else is known of a pair than how near its sides are. */
export type Surroundings = {
  /** Why the compound is none that the model knows, as it goes on after “The compound …”. */
  outside: string | null
  /** The training target that the protein is related to most. */
  relative?: { name: string; identityPercent: number | null } | undefined
  /** Something was measured on this protein, but on no compound that is like this one. */
  isUnlikeOnTarget?: boolean
}

export function domainOf(
  card: ModelCard,
  near: Nearness,
  surroundings: Surroundings,
): PredictionResult['domain'] {
  const { compoundSimilarityMin, targetSimilarityMin, ligandDrivenBelow } = card.domain
  const isCompoundKnown = near.compound >= compoundSimilarityMin
  const isTargetKnown = near.target >= targetSimilarityMin
  const isLigandDriven = near.target < ligandDrivenBelow
  const sentences = [
    `${compoundSentence(isCompoundKnown, surroundings)} ${targetSentence(isTargetKnown, isLigandDriven, surroundings)}`,
  ]
  if (surroundings.isUnlikeOnTarget === true) {
    sentences.push('No compound that was measured on this target is like it.')
  }
  return {
    is_inside: isCompoundKnown && isTargetKnown && surroundings.outside === null,
    is_ligand_driven: isLigandDriven,
    reason: sentences.join(' '),
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

function compoundSentence(isKnown: boolean, { outside }: Surroundings): string {
  if (outside !== null) return `The compound ${outside},`
  return isKnown
    ? 'The compound resembles a training compound'
    : 'No training compound resembles this compound'
}

function targetSentence(
  isKnown: boolean,
  isLigandDriven: boolean,
  { relative }: Surroundings,
): string {
  if (isLigandDriven && relative?.identityPercent) {
    const identity = `${Math.round(relative.identityPercent)}% sequence identity with ${relative.name}`
    return `and the protein is only a relative of a training target (${identity}): the estimate rests mainly on the compound.`
  }
  if (isLigandDriven) {
    return 'and no training target is related to this protein: the estimate is about the compound only.'
  }
  return isKnown
    ? 'and the protein is, or closely resembles, a training target.'
    : 'and the protein is only distantly related to any training target.'
}
