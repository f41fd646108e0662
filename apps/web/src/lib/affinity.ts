/**
 * Derives from a pKd its word, Kd, binding energy and intervals. Everything is computed from the value as
 * displayed, with two decimals, so that the numbers on one page agree.
 */
import { FIXED_INTERVAL_PKD, type PredictionResult } from '@pkdex/contract'
import { formatNumber } from './format.ts'

const GAS_CONSTANT_KJ = 8.314462618e-3
const ROOM_TEMPERATURE_K = 298.15
const KJ_PER_KCAL = 4.184
/** Energy of one power of ten in Kd at 25 °C: 5.708 kJ/mol. */
const KJ_PER_LOG_UNIT = GAS_CONSTANT_KJ * ROOM_TEMPERATURE_K * Math.LN10
export const KCAL_PER_LOG_UNIT = KJ_PER_LOG_UNIT / KJ_PER_KCAL

/** Limits of the labels: below this pKd `weak`, above the next `strong`. */
const WEAK_BELOW = 6
const STRONG_ABOVE = 8

export type AffinityWord = 'weak' | 'moderate' | 'strong'

export function wordOf(pkd: number): AffinityWord {
  const shown = shownValue(pkd)
  if (shown < WEAK_BELOW) return 'weak'
  return shown > STRONG_ABOVE ? 'strong' : 'moderate'
}

/** The pKd with two decimals and a true minus sign. */
export function formatPkd(pkd: number): string {
  return formatNumber(shownValue(pkd), 2)
}

/** The dissociation constant with three significant digits, in the unit that a chemist would use. */
export function formatKd(pkd: number): string {
  const molar = Number((10 ** -shownValue(pkd)).toPrecision(3))
  const unit = units.find(({ size }) => molar >= size * (1 - Number.EPSILON)) ?? picomolar
  return `${withThreeDigits(molar / unit.size)} ${unit.name}`
}

/** A Kd with as many digits as its uncertainty justifies, one or two: `39 nM`, `0.8 µM`. */
export function formatRoughKd(pkd: number, digits: 1 | 2): string {
  const molar = Number((10 ** -shownValue(pkd)).toPrecision(digits))
  // 800 nM with one digit would look as if all three were significant.
  const bound = digits === 1 ? 100 : 1000
  const unit = units.find(({ size }) => molar >= size * (1 - Number.EPSILON)) ?? picomolar
  const inUnit = Number((molar / unit.size).toPrecision(digits))
  const larger = units[units.indexOf(unit) - 1]
  if (inUnit < bound || larger === undefined) return `${inUnit} ${unit.name}`
  return `${Number((inUnit / 1000).toPrecision(digits))} ${larger.name}`
}

/** The interval of a pKd as Kd, strongest first: `2 nM to 0.8 µM`. */
export function formatKdRange({ lower, upper }: Bounds): string {
  return `${formatRoughKd(upper, 1)} to ${formatRoughKd(lower, 1)}`
}

/** In kcal/mol per heavy atom: `0.38`. */
export function ligandEfficiency(pkd: number, heavyAtoms: number): string {
  return formatNumber((shownValue(pkd) * KCAL_PER_LOG_UNIT) / heavyAtoms, 2)
}

/** pKd minus logP: `4.0`. */
export function lipophilicEfficiency(pkd: number, logP: number): string {
  return formatNumber(shownValue(pkd) - logP, 1)
}

/** ΔG at 25 °C in kcal/mol, with the digits that its uncertainty justifies. */
export function formatKilocalories(pkd: number, decimals: 0 | 1): string {
  return formatNumber(-shownValue(pkd) * KCAL_PER_LOG_UNIT, decimals)
}

/** Binding energy per heavy atom, as text: `0.39 kcal/mol per heavy atom`. */
export function formatLigandEfficiency(pkd: number, heavyAtoms: number): string {
  const perAtom = (shownValue(pkd) * KJ_PER_LOG_UNIT) / KJ_PER_KCAL / heavyAtoms
  return `${formatNumber(perAtom, 2)} kcal/mol per heavy atom`
}

/** ΔG at 25 °C: `−10.70 kcal/mol` and `−44.75 kJ/mol`. */
export function formatEnergy(pkd: number): { kilocalories: string; kilojoules: string } {
  const kilojoules = -shownValue(pkd) * KJ_PER_LOG_UNIT
  return {
    kilocalories: `${formatNumber(kilojoules / KJ_PER_KCAL, 2)} kcal/mol`,
    kilojoules: `${formatNumber(kilojoules, 2)} kJ/mol`,
  }
}

const picomolar = { name: 'pM', size: 1e-12 }
const units = [
  { name: 'M', size: 1 },
  { name: 'mM', size: 1e-3 },
  { name: 'µM', size: 1e-6 },
  { name: 'nM', size: 1e-9 },
  picomolar,
]

/** Adding 0 turns a rounded −0 into 0. */
function shownValue(pkd: number): number {
  return Number(pkd.toFixed(2)) + 0
}

/** 14.5, 145, 1.00: three digits and no exponent. Values below a picomolar keep their zeros: 0.0316. */
function withThreeDigits(value: number): string {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(value) + 1e-9))
  return value.toFixed(Math.min(decimals, 20))
}

/** The value measured for exactly this pair, unless it is a bound. */
export function measuredPk(details: PredictionResult | null): number | null {
  return details?.exact_measurements?.find(({ bound }) => bound === null)?.pk ?? null
}

/** A pair of pKd limits. */
export type Bounds = { lower: number; upper: number }

/** The fixed interval around a displayed value. */
export function fixedBounds(pkd: number): Bounds {
  const shown = Number(pkd.toFixed(2))
  return { lower: shown - FIXED_INTERVAL_PKD, upper: shown + FIXED_INTERVAL_PKD }
}

export function formatBounds({ lower, upper }: Bounds): string {
  return `${formatPkd(lower)} to ${formatPkd(upper)}`
}

/** The level in percent; the model stores it as a fraction. */
export function formatLevel({ level }: PredictionResult['interval']): string {
  return `${Number((level <= 1 ? level * 100 : level).toFixed(1))}%`
}
