/** Units and types of measured values, as files spell them. What is not known is named, never given a default. */
import type { MeasurementType, MeasurementUnit } from '@pkdex/contract'

/** A value in the file times `factor` is in `unit`. `p`: a negative decimal logarithm of mol/L. */
export type Scale = { unit: MeasurementUnit; factor: number }

/** Of a heading or cell; longer ones hold no unit. */
const CHARACTERS_MAX = 120

/** One spelling for micro signs, minus signs, super- and subscripts; `10⁻⁹` is `10^-9`. */
export function plain(text: string): string {
  const start = text.slice(0, CHARACTERS_MAX)
  // Most cells have nothing else, and there are very many.
  if (/^[ -~]*$/.test(start)) return start.trim()
  return start
    .replaceAll(/10(?=[⁺⁻]?[⁰¹²³⁴-⁹])/gu, '10^')
    .normalize('NFKC')
    .replaceAll(/[µμ]/gu, 'u')
    .replaceAll(/[−–‐‑]/gu, '-')
    .trim()
}

const prefixes: Record<string, number> = {
  f: -15,
  femto: -15,
  p: -12,
  pico: -12,
  n: -9,
  nano: -9,
  u: -6,
  mc: -6,
  micro: -6,
  m: -3,
  milli: -3,
  '': 0,
}

const units: Record<number, MeasurementUnit> = {
  '-12': 'pM',
  '-9': 'nM',
  '-6': 'µM',
  '-3': 'mM',
  0: 'M',
}

/** The unit of concentration that the whole text is; null for anything else. */
export function readScale(text: string): Scale | null {
  const plainText = plain(text)
    .replace(/^(["'([])(.*)["')\]]$/, '$2')
    .trim()
  if (plainText.length > 40 || plainText.endsWith('*')) return null
  const [, power, molar] =
    /^(?:[x×·*]\s*)?(?:10\s*(?:(?:\^|\*\*|')\s*\(?|(?=-))|1e)(-?\d{1,2})\)?\s*(\S.*)$/iu.exec(
      plainText,
    ) ?? []
  const exponent = exponentOf(molar ?? plainText)
  return exponent === null ? null : scaleOf(exponent + Number(power ?? 0))
}

/** `nM`, `nmol/L`, `nmol.L-1`, `nanomolar`. */
function exponentOf(text: string): number | null {
  if (/^M$/.test(text)) return 0
  const small = text.toLowerCase().replaceAll(/[\s.·*]+/g, '')
  const [, letters = null] =
    /^(f|p|n|u|mc|m)m$/.exec(small) ??
    /^(femto|pico|nano|micro|milli|f|p|n|u|mc|m|)mol(?:ar|e?s?(?:\/l(?:it(?:er|re))?|l\^?\(?-1\)?|perlit(?:er|re)|\/dm\^?3|dm\^?-3))$/.exec(
      small,
    ) ??
    /^(femto|pico|nano|micro|milli)m$/.exec(small) ??
    []
  return letters === null ? null : (prefixes[letters] ?? null)
}

/** In the nearest unit that is not smaller: 10^-7 mol/L is 0.1 µM; fM are pM. */
function scaleOf(exponent: number): Scale {
  const nearest = Math.min(0, Math.max(-12, 3 * Math.ceil(exponent / 3)))
  const digits = exponent - nearest
  return { unit: units[nearest] ?? 'M', factor: digits === 0 ? 1 : Number(`1e${digits}`) }
}

export type Quantity = { type?: MeasurementType; isLog: boolean }

const types: Record<string, MeasurementType> = { kd: 'Kd', ki: 'Ki', ic50: 'IC50' }

/** The type that the whole text is: `Ki`, `pIC50`, `-log Kd`. */
export function readType(text: string): Quantity | null {
  const plainText = plain(text)
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '')
  const [, log = '', name = ''] = /^(p|-log(?:10)?\(?)?(kd|ki|ic50)\)?$/.exec(plainText) ?? []
  const type = types[name]
  return type === undefined ? null : { type, isLog: log !== '' }
}

/** Why a unit is refused. */
export function refuseUnit(written: string): string {
  const text = written.slice(0, CHARACTERS_MAX)
  const plainText = plain(text)
  if (/%|percent/i.test(plainText)) return `“${text}” is a percentage, not a concentration.`
  if (/[gk]\s*[/.]|g.*l-1|^[nupm]?g\b/i.test(plainText)) {
    return `“${text}” is a mass, which is not converted: write nM or µM.`
  }
  return `“${text}” is not a unit: write nM, µM or pKd.`
}
