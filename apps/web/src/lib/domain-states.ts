/** The states of the applicability domain, in the words that every page uses. */
import type { DomainState, ScreenRow } from '@pkdex/contract'

export const domainTitles: Record<DomainState, string> = {
  known_on_target: 'Known on this target',
  known_on_other_targets: 'Known on other targets only',
  outside: 'Outside the domain',
}

export const domainStates = Object.keys(domainTitles) as DomainState[]

/** Null without a prediction. Pairs predicted before there were three states were called inside. */
export function domainStateOfRow(row: Pick<ScreenRow, 'domain_state' | 'in_domain'>) {
  if (row.in_domain === null) return null
  return row.domain_state ?? (row.in_domain ? 'known_on_target' : 'outside')
}
