/**
 * The unit in which tables and maps show an affinity: selected once, stored in this browser. Requests and filters
 * always use pKd.
 */
import type { DomainState } from '@pkdex/contract'
import { type Bounds, formatKdRange, formatRoughKd, KCAL_PER_LOG_UNIT } from './affinity.ts'
import { formatNumber } from './format.ts'
import { createStore } from './store.ts'

export const affinityUnits = ['pKd', 'Kd', 'ΔG'] as const
export type AffinityUnit = (typeof affinityUnits)[number]

const KEPT_AS = 'affinity-unit'

const store = createStore<AffinityUnit>(readKept())

export const useAffinityUnit = store.useValue

export function chooseAffinityUnit(unit: AffinityUnit): void {
  localStorage.setItem(KEPT_AS, unit)
  store.set(unit)
}

function readKept(): AffinityUnit {
  const stored = localStorage.getItem(KEPT_AS)
  return affinityUnits.find((unit) => unit === stored) ?? 'pKd'
}

/** Column heading: its cells do not repeat it. A Kd includes its own unit. */
export const unitTitles: Record<AffinityUnit, string> = {
  pKd: 'pKd',
  Kd: 'Kd',
  ΔG: 'ΔG, kcal/mol',
}

/** On its own: `pKd 7.1`, `Kd 74 nM`, `ΔG −9.7 kcal/mol`. */
export function nameAffinity(pkd: number, unit: AffinityUnit, state?: DomainState): string {
  const energy = unit === 'ΔG' ? ' kcal/mol' : ''
  return `${unit} ${shortenAffinity(pkd, unit, state)}${energy}`
}

/** The unit in which the user types a bound; pKd has none. */
export const boundUnits: Record<AffinityUnit, string> = { pKd: '', Kd: 'nM', ΔG: 'kcal/mol' }

const PKD_OF_NANOMOLAR = 9

/** A pKd as the user would type it: the number alone, in `boundUnits`. */
export function toBound(pkd: number, unit: AffinityUnit): number {
  const value = { pKd: pkd, Kd: 10 ** (PKD_OF_NANOMOLAR - pkd), ΔG: -pkd * KCAL_PER_LOG_UNIT }[unit]
  return Number(value.toPrecision(5))
}

/** The pKd of a typed number; NaN if it is not an affinity. */
export function fromBound(value: number, unit: AffinityUnit): number {
  const pkd = {
    pKd: value,
    Kd: PKD_OF_NANOMOLAR - Math.log10(value),
    ΔG: -value / KCAL_PER_LOG_UNIT,
  }[unit]
  return Number.isFinite(pkd) ? Number(pkd.toFixed(6)) : Number.NaN
}

/** Ascending in the unit, so a Kd interval begins with its stronger end. */
export function formatInterval({ lower, upper }: Bounds, unit: AffinityUnit): string {
  switch (unit) {
    case 'pKd':
      return `${formatNumber(lower, 1)} to ${formatNumber(upper, 1)}`
    case 'Kd':
      return formatKdRange({ lower, upper })
    case 'ΔG':
      return `${shortenAffinity(upper, unit)} to ${shortenAffinity(lower, unit)}`
  }
}

/** How much stronger one value is than another: `+0.5`, `3.2 times`, `−0.7`. */
export function formatDifference(pkd: number, unit: AffinityUnit): string {
  switch (unit) {
    case 'pKd':
      return signed(pkd)
    case 'Kd':
      return `${Number((10 ** pkd).toPrecision(2)).toLocaleString('en')} times`
    case 'ΔG':
      return signed(-pkd * KCAL_PER_LOG_UNIT)
  }
}

/** Rounded to the digits that the uncertainty justifies: `7.1`, `74 nM`, `−9.7`; a Kd has one digit unless known on the target. */
export function shortenAffinity(
  pkd: number,
  unit: AffinityUnit,
  state: DomainState = 'known_on_target',
): string {
  switch (unit) {
    case 'pKd':
      return formatNumber(pkd, 1)
    case 'Kd':
      return formatRoughKd(pkd, state === 'known_on_target' ? 2 : 1)
    case 'ΔG':
      return formatNumber(-pkd * KCAL_PER_LOG_UNIT, 1)
  }
}

/** A measured pK in the unit: two decimals, one more than for a prediction. */
export function shortenMeasured(pk: number, unit: AffinityUnit): string {
  return unit === 'pKd' ? formatNumber(pk, 2) : shortenAffinity(pk, unit)
}

/** With a true minus sign. */
function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`
}
