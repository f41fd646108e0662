/**
 * The unit in which tables and maps show an affinity: chosen once, kept in this browser. What travels is a pKd, and so
 * is what filters take.
 */
import { type Bounds, formatEnergy, formatKd, formatPkd, KCAL_PER_LOG_UNIT } from './affinity.ts'
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
  const kept = localStorage.getItem(KEPT_AS)
  return affinityUnits.find((unit) => unit === kept) ?? 'pKd'
}

/** Head of a column: its cells do not repeat what stands in it. A Kd brings its own unit. */
export const unitTitles: Record<AffinityUnit, string> = {
  pKd: 'pKd',
  Kd: 'Kd',
  ΔG: 'ΔG, kcal/mol',
}

/** As a cell under its head: `7.13`, `74.1 nM`, `−9.73`. */
export function formatAffinity(pkd: number, unit: AffinityUnit): string {
  switch (unit) {
    case 'pKd':
      return formatPkd(pkd)
    case 'Kd':
      return formatKd(pkd)
    case 'ΔG':
      return formatEnergy(pkd).kilocalories.replace(' kcal/mol', '')
  }
}

/** On its own: `pKd 7.13`, `Kd 74.1 nM`, `ΔG −9.73 kcal/mol`. */
export function nameAffinity(pkd: number, unit: AffinityUnit): string {
  const energy = unit === 'ΔG' ? ' kcal/mol' : ''
  return `${unit} ${formatAffinity(pkd, unit)}${energy}`
}

/** Upwards in the unit, so that a Kd begins with its stronger end. */
export function formatInterval({ lower, upper }: Bounds, unit: AffinityUnit): string {
  if (unit === 'pKd') return `${withOneDecimal(lower)} to ${withOneDecimal(upper)}`
  return `${formatAffinity(upper, unit)} to ${formatAffinity(lower, unit)}`
}

/** How much stronger one is than another: `+0.50`, `3.2 times`, `−0.68`. */
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

/** In a small place, as a cell of a map or a tick of a scale: `7.1`, `74 nM`, `−9.7`. */
export function shortenAffinity(pkd: number, unit: AffinityUnit): string {
  switch (unit) {
    case 'pKd':
      return withOneDecimal(pkd)
    case 'Kd': {
      const [value, size] = formatKd(pkd).split(' ')
      return `${Number(Number(value).toPrecision(2))} ${size}`
    }
    case 'ΔG':
      return withOneDecimal(-pkd * KCAL_PER_LOG_UNIT)
  }
}

function withOneDecimal(value: number): string {
  return value.toFixed(1).replace('-', '−')
}

/** With a true minus. */
function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`
}
