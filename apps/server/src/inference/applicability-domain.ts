/** How far a prediction can be trusted: applicability domain, and nearby measured values. */
import type { DomainState, PredictionResult } from '@pkdex/contract'
import { BELOW_BY, type NearLabel } from './measured-compounds.ts'
import type { ModelCard } from './model-card.ts'

export type Nearness = { compound: number; target: number }

/** `onTarget`: similarity of the closest compound measured on this protein; 0 if nothing was measured on it. */
export type NearPair = Nearness & { onTarget: number }

/** Used by both single predictions and tables. `outside`: why the compound is unlike all measured ones. */
export function domainStateOf(
  { domain }: ModelCard,
  near: NearPair,
  outside: string | null,
): DomainState {
  const { compoundSimilarityMin, targetSimilarityMin } = domain
  const compound = Math.max(near.compound, near.onTarget)
  const isUnknown = compound < compoundSimilarityMin || near.target < targetSimilarityMin
  if (outside !== null || isUnknown) return 'outside'
  return near.onTarget >= compoundSimilarityMin ? 'known_on_target' : 'known_on_other_targets'
}

export function isLigandDriven(card: ModelCard, near: Nearness): boolean {
  return near.target < card.domain.ligandDrivenBelow
}

/** Everything known about a pair except its similarities. */
export type Surroundings = {
  /** Why the compound is outside the model's scope; continues “The compound …”. */
  outside: string | null
  /** The most closely related training target. */
  relative?: { name: string; identityPercent: number | null } | undefined
}

export function domainOf(
  card: ModelCard,
  near: NearPair,
  surroundings: Surroundings,
): PredictionResult['domain'] {
  const state = domainStateOf(card, near, surroundings.outside)
  return {
    is_inside: state === 'known_on_target',
    state,
    is_ligand_driven: isLigandDriven(card, near),
    reason: reasonOf(state, card, near, surroundings),
  }
}

/** Measured values near the pair, for display: only on this target, and only of similar compounds. */
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
      pk: shownPk(value, isBelow),
      is_upper_bound: isBelow,
      similarity,
    }))
}

/** A label as displayed: an upper bound shows the bound itself. */
export function shownPk(value: number, isBelow: boolean): number {
  return Number((isBelow ? value + BELOW_BY : value).toFixed(2))
}

function reasonOf(
  state: DomainState,
  card: ModelCard,
  near: NearPair,
  surroundings: Surroundings,
): string {
  switch (state) {
    case 'known_on_target':
      return `Similar compounds were measured on this target; the closest has similarity ${near.onTarget.toFixed(2)}.`
    case 'known_on_other_targets':
      return `${missingOnTarget(card, near, surroundings)} The closest compound was measured on another target (similarity ${near.compound.toFixed(2)}).`
    case 'outside':
      return [compoundReason(card, near, surroundings), targetReason(card, near, surroundings)]
        .filter((reason) => reason !== '')
        .join(' ')
  }
}

function missingOnTarget({ domain }: ModelCard, near: NearPair, surroundings: Surroundings) {
  return near.target > domain.sameTargetAbove
    ? 'No similar compound was measured on this target.'
    : `This protein is not in the training data, only a relative is${identityOf(surroundings)}.`
}

function compoundReason({ domain }: ModelCard, near: NearPair, { outside }: Surroundings): string {
  if (outside !== null) return `The compound ${outside}.`
  const isKnown = Math.max(near.compound, near.onTarget) >= domain.compoundSimilarityMin
  return isKnown ? '' : 'No training compound is similar to this compound.'
}

function targetReason(card: ModelCard, near: NearPair, surroundings: Surroundings): string {
  if (near.target >= card.domain.targetSimilarityMin) return ''
  const identity = identityOf(surroundings)
  return identity === ''
    ? 'No training target is related to this protein: the prediction rests on the compound alone.'
    : `The protein is only a relative of a training target${identity}: the prediction rests mainly on the compound.`
}

function identityOf({ relative }: Surroundings): string {
  if (!relative?.identityPercent) return ''
  return ` (${Math.round(relative.identityPercent)}% sequence identity with ${relative.name})`
}
