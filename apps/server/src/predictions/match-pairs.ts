/** Finds the pairs of a screen that pass a filter. */
import { type DomainState, rowProperties, type ScreenFilter } from '@pkdex/contract'
import { readFlags, stateOfFlags } from './cells.ts'
import { factsAt, predictedAt, propertyAt } from './row-details.ts'
import type { ScreenTable } from './screen-table.ts'

/** Indices of the matching pairs in input order. A null filter accepts any row. */
export function matchPairs(
  table: ScreenTable,
  filter: ScreenFilter,
  isRowWanted: boolean[] | null,
): number[] {
  const isMatch = matcherOf(table, filter, isRowWanted)
  const places: number[] = []
  const count = table.rows.length * table.targets.length
  for (let place = 0; place < count; place += 1) if (isMatch(place)) places.push(place)
  return places
}

/** Whether a filter needs the names and structures of all compounds. */
export function needsRows(filter: ScreenFilter): boolean {
  const { text, smarts, heavy_atoms_min, heavy_atoms_max, starred } = filter
  const bounds = [heavy_atoms_min, heavy_atoms_max, starred]
  return `${text}${smarts}` !== '' || bounds.some((bound) => bound !== undefined)
}

/** Whether a filter or a sort order needs the properties or alerts of all compounds. */
export function needsDetails(filter: ScreenFilter, sort?: string): boolean {
  const isSorted = rowProperties.some((name) => name === sort)
  return (
    isSorted || filter.profile !== '' || filter.alerts !== undefined || boundsOf(filter).length > 0
  )
}

type Bound = { name: (typeof rowProperties)[number]; min: number; max: number }

function boundsOf(filter: ScreenFilter): Bound[] {
  // Heavy atoms are counted from the SMILES, before any property is computed.
  const names = rowProperties.filter((name) => name !== 'heavy_atoms')
  return names.flatMap((name) => {
    const [min, max] = [filter[`${name}_min`], filter[`${name}_max`]]
    return min === undefined && max === undefined
      ? []
      : [{ name, min: min ?? -Infinity, max: max ?? Infinity }]
  })
}

function matcherOf(
  table: ScreenTable,
  filter: ScreenFilter,
  isRowWanted: boolean[] | null,
): (place: number) => boolean {
  const { targets, cells } = table
  const { min, max, in_domain, domain_state, target } = filter
  const hasDetails = needsDetails(filter) ? detailsMatcher(table, filter) : () => true
  const isRow = (place: number) => isRowWanted?.[Math.floor(place / targets.length)] ?? true
  const isWantedState = stateMatcher(filter)
  const wantedTarget = target.normalize('NFC')
  const isTargetWanted = targets.map(({ name }) => wantedTarget === '' || name === wantedTarget)
  const needsNumber = [min, max, in_domain, domain_state].some((bound) => bound !== undefined)
  const isInRange = (pkd: number) => pkd >= (min ?? -Infinity) && pkd <= (max ?? Infinity)
  return (place) => {
    if (isTargetWanted[place % targets.length] !== true) return false
    if (!isRow(place) || !hasDetails(place)) return false
    if (!needsNumber) return true
    const pkd = predictedAt(table, place)
    if (pkd === null || !isInRange(pkd)) return false
    return isWantedState(stateOfFlags(readFlags(cells, place)) ?? 'known_on_target')
  }
}

function stateMatcher({ in_domain, domain_state }: ScreenFilter): (state: DomainState) => boolean {
  return (state) => {
    if (domain_state !== undefined && state !== domain_state) return false
    return in_domain === undefined || (state === 'known_on_target') === (in_domain === 'true')
  }
}

/** A compound without the property is outside every range. */
function detailsMatcher(table: ScreenTable, filter: ScreenFilter): (place: number) => boolean {
  const bounds = boundsOf(filter)
  const { alerts } = filter
  return (place) => {
    const isFree = factsAt(table, place)?.alerts.length === 0
    if (alerts !== undefined && isFree !== (alerts === 'none')) return false
    return bounds.every(({ name, min, max }) => {
      const value = propertyAt(table, place, name)
      return value !== null && value >= min && value <= max
    })
  }
}
