/**
 * What a pKd means: its word, its Kd, its binding energy and its intervals. Everything is worked out from the value as
 * it is shown, two decimals, so that the numbers on one screen agree with each other.
 */
import { FIXED_INTERVAL_PKD, type PredictionResult } from '@pkdex/contract'

const GAS_CONSTANT_KJ = 8.314462618e-3
const ROOM_TEMPERATURE_K = 298.15
const KJ_PER_KCAL = 4.184
/** Energy of one power of ten in Kd at 25 °C: 5.708 kJ/mol. */
const KJ_PER_LOG_UNIT = GAS_CONSTANT_KJ * ROOM_TEMPERATURE_K * Math.LN10
export const KCAL_PER_LOG_UNIT = KJ_PER_LOG_UNIT / KJ_PER_KCAL

/** From `weak` on up: the first pKd that a word no longer covers. */
const WEAK_BELOW = 6
const STRONG_ABOVE = 8

export type AffinityWord = 'weak' | 'moderate' | 'strong'

export function wordOf(pkd: number): AffinityWord {
  const shown = shownValue(pkd)
  if (shown < WEAK_BELOW) return 'weak'
  return shown > STRONG_ABOVE ? 'strong' : 'moderate'
}

/** The pKd with two decimals and a true minus. */
export function formatPkd(pkd: number): string {
  return withTrueMinus(shownValue(pkd).toFixed(2))
}

/** The dissociation constant with three significant digits, in the unit that a chemist would choose. */
export function formatKd(pkd: number): string {
  const molar = Number((10 ** -shownValue(pkd)).toPrecision(3))
  const unit = units.find(({ size }) => molar >= size * (1 - Number.EPSILON)) ?? picomolar
  return `${withThreeDigits(molar / unit.size)} ${unit.name}`
}

/** Binding energy that each heavy atom brings: `0.39 kcal/mol an atom`. */
export function formatLigandEfficiency(pkd: number, heavyAtoms: number): string {
  const perAtom = (shownValue(pkd) * KJ_PER_LOG_UNIT) / KJ_PER_KCAL / heavyAtoms
  return `${withTrueMinus(perAtom.toFixed(2))} kcal/mol an atom`
}

/** ΔG at 25 °C: `−10.70 kcal/mol` and `−44.75 kJ/mol`. */
export function formatEnergy(pkd: number): { kilocalories: string; kilojoules: string } {
  const kilojoules = -shownValue(pkd) * KJ_PER_LOG_UNIT
  return {
    kilocalories: `${withTrueMinus((kilojoules / KJ_PER_KCAL).toFixed(2))} kcal/mol`,
    kilojoules: `${withTrueMinus(kilojoules.toFixed(2))} kJ/mol`,
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

/** 14.5, 145, 1.00: three digits and no exponent. Values under a picomolar keep their zeros: 0.0316. */
function withThreeDigits(value: number): string {
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(value) + 1e-9))
  return value.toFixed(Math.min(decimals, 20))
}

function withTrueMinus(text: string): string {
  return text.replace('-', '−')
}

/** Pair of pKd bounds. */
export type Bounds = { lower: number; upper: number }

/** The fixed interval around a value as it is shown. */
export function fixedBounds(pkd: number): Bounds {
  const shown = Number(pkd.toFixed(2))
  return { lower: shown - FIXED_INTERVAL_PKD, upper: shown + FIXED_INTERVAL_PKD }
}

export function formatBounds({ lower, upper }: Bounds): string {
  return `${formatPkd(lower)} to ${formatPkd(upper)}`
}

/** The level in percent; the model writes it as a fraction. */
export function formatLevel({ level }: PredictionResult['interval']): string {
  return `${Number((level <= 1 ? level * 100 : level).toFixed(1))}%`
}
