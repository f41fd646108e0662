/** Recognises type and unit of measured values in headings and cells. */
import type { MeasurementType, MeasurementUnit } from './measurements.ts'

export type SpokenKind = { type?: MeasurementType; unit?: MeasurementUnit }

const types: Record<string, MeasurementType> = { kd: 'Kd', ki: 'Ki', ic50: 'IC50' }
const units: Record<string, MeasurementUnit> = { pm: 'pM', nm: 'nM', um: 'µM', mm: 'mM', m: 'M' }

/** The parts of `pKi`, `IC50 (uM)` or `nM`. */
export function readKind(text: string): SpokenKind {
  const plain = text.replaceAll(/[µμ]/gu, 'u')
  const [, p, name] = /\b(p?)(kd|ki|ic50)\b/i.exec(plain) ?? []
  const [, molar] = /(?:^|[^a-z0-9])([pnum]?m)(?![a-z0-9])/i.exec(plain) ?? []
  const type = name === undefined ? undefined : types[name.toLowerCase()]
  const unit = p ? 'p' : molar === undefined ? undefined : units[molar.toLowerCase()]
  return { ...(type && { type }), ...(unit && { unit }) }
}

const valueWords = /^(standard |measured )?(value|affinity|activity|p?kd|p?ki|p?ic50)\b/i

/** Whether a heading says that its column contains measured values. */
export function isValueHeading(heading: string): boolean {
  return valueWords.test(heading)
}

export function isUnitHeading(heading: string): boolean {
  return /^(standard )?units?\b/i.test(heading)
}

export function isTypeHeading(heading: string): boolean {
  return /^(standard )?type\b/i.test(heading)
}
