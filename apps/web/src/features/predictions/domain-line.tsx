/** One line: what the model knows near this pair, and two separate facts, compound similarity and target identity. */
import type { DomainState, PredictionResult } from '@pkdex/contract'
import { domainTitles } from '#web/lib/domain-states.ts'
import { Icon, type IconName } from '#web/ui/icon.tsx'

const icons: Record<DomainState, IconName> = {
  known_on_target: 'done',
  known_on_other_targets: 'half',
  outside: 'warning',
}

export function DomainLine({ details }: { details: PredictionResult }) {
  const state = domainStateOf(details)
  return (
    <li data-state={state} title={details.domain.reason}>
      <Icon name={iconOf(details, state)} size={18} />
      <b>{domainTitles[state]}</b>
      <span>{factsOf(details, state)}</span>
    </li>
  )
}

/** Older results without the three states are classified by what was measured near them. */
export function domainStateOf({ domain, measured_compounds: near }: PredictionResult): DomainState {
  if (domain.state !== undefined) return domain.state
  if (!domain.is_inside) return 'outside'
  return near?.length === 0 ? 'known_on_other_targets' : 'known_on_target'
}

/** No tick for a compound that no chemist would call related. */
function iconOf(details: PredictionResult, state: DomainState): IconName {
  const isDistant = nearestSimilarity(details, state) < RELATED
  return state === 'known_on_target' && isDistant ? 'half' : icons[state]
}

function nearestSimilarity(details: PredictionResult, state: DomainState): number {
  const { nearest_compound: anywhere, nearest_measured_compound: onTarget } = details
  return (state === 'known_on_target' ? (onTarget ?? anywhere) : anywhere).similarity
}

function factsOf(details: PredictionResult, state: DomainState): string {
  const similarity = nearestSimilarity(details, state)
  return `closest compound ${similarity.toFixed(2)} (${wordSimilarity(similarity)}), ${targetFact(details)}`
}

const RELATED = 0.4

/** A number alone does not say whether a chemist would call it related. */
function wordSimilarity(similarity: number): string {
  if (similarity >= 0.995) return 'same compound'
  if (similarity >= 0.7) return 'close'
  return similarity >= RELATED ? 'related' : 'distant'
}

function targetFact({ nearest_targets: [target] }: PredictionResult): string {
  if (target === undefined) return 'target unknown'
  const { identity_percent: identity, similarity } = target
  if (identity !== undefined) return `target ${identity.toFixed(0)}% identical`
  return similarity === 0 ? 'target unknown' : `target similarity ${similarity.toFixed(2)}`
}
