/**
 * Recognises measured values in tables: what a heading says its column contains, and units and types in cells. Used by
 * the import page and the server, so that both read a table alike. What is filled and not understood is null, never a
 * default.
 */
import type { MeasurementType, MeasurementUnit } from './measurements.ts'

export type SpokenKind = { type?: MeasurementType; unit?: MeasurementUnit }

/** Values in `unit` are multiplied by `factor`: `10^-8 M` is 10 nM. */
export type ReadUnit = { unit: MeasurementUnit; factor: number }

const exponents: Record<string, number> = { f: -15, p: -12, n: -9, u: -6, m: -3, '': 0 }
const prefixes: Record<string, string> = {
  femto: 'f',
  pico: 'p',
  nano: 'n',
  micro: 'u',
  milli: 'm',
  mc: 'u',
}
const unitsByExponent: [number, MeasurementUnit][] = [
  [0, 'M'],
  [-3, 'mM'],
  [-6, 'µM'],
  [-9, 'nM'],
  [-12, 'pM'],
]

/** `10^-6`, `1e-6`, `x10-6` before a unit. */
const powerOfTen = /^(?:x|\*|·)? ?(?:10 ?\^? ?\(?|1e)-(\d{1,2})\)? ?(?=m)/
const molar =
  /^(femto|pico|nano|micro|milli|mc|[fpnum])? ?(?:molar|mol ?\/ ?l|mol\.? ?l ?\^?-1|mol ?\/ ?dm3|m)$/

const logInHeading =
  /(?:^|[\s_(-])p\s?(?:kd|ki|ic50|chembl|ec50|ac50|k|activity|affinity|value)(?=$|[\s_)(])|(?:^|[\s(])-\s?log/

/** One spelling of micro, minus and superscripts; lower case. */
function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[µμ]/gu, 'u')
    .replaceAll(/[−–]/gu, '-')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** The whole text is a unit: `nM`, `umol/L`, `10^-6 mol/L`, `pKi`; null if it is anything else. */
export function readUnit(text: string): ReadUnit | null {
  const plain = plainOf(text).replaceAll(/^[([{]|[)\]}]$/g, '')
  if (/^p(?:kd|ki|ic50|chembl|k)?$/.test(plain)) return { unit: 'p', factor: 1 }
  const [said = '', power = 0] = powerOfTen.exec(plain) ?? []
  const [found, prefix = ''] = molar.exec(plain.slice(said.length)) ?? []
  if (found === undefined) return null
  const exponent = (exponents[prefixes[prefix] ?? prefix] ?? 0) - Number(power)
  const [base, unit] = unitsByExponent.find(([least]) => exponent >= least) ?? [-12, 'pM']
  return { unit, factor: Number(`1e${exponent - base}`) }
}

const types: Record<string, MeasurementType> = { kd: 'Kd', ki: 'Ki', ic50: 'IC50' }

/** The whole text is a type, `IC50` or `pKi`; null for anything else, such as `EC50` or `Inhibition`. */
export function readType(text: string): { type: MeasurementType; isLog: boolean } | null {
  const plain = plainOf(text).replaceAll(/[_\s]|\(app\)|app$/g, '')
  const [, p = '', name = ''] = /^(p?)(kd|ki|ic50)$/.exec(plain) ?? []
  const type = types[name]
  return type === undefined ? null : { type, isLog: p !== '' }
}

/** Type and unit that a heading states, as in `pKi`, `IC50 (uM)` or `TYK2 potency (nM)`. */
export function readKind(heading: string): SpokenKind {
  const plain = plainOf(heading)
  const [, name] = /(?:^|[^a-z0-9]|log)p?(kd|ki|ic50)(?![a-z0-9])/.exec(plain) ?? []
  const type = name === undefined ? undefined : types[name]
  const unit = logInHeading.test(plain) ? 'p' : unitIn(plain)
  // A unit that is a multiple, such as 10^-8 M, would need a factor for the column: it is asked for instead.
  const known = unit === 'p' ? unit : unit?.factor === 1 ? unit.unit : undefined
  return { ...(type && { type }), ...(known && { unit: known }) }
}

/** The unit in brackets or as a word of its own. A bare M stands alone: in `IC50 (\uFFFDM)` a letter is missing. */
function unitIn(plain: string): ReadUnit | null {
  const words = plain.split(/[\s()[\]{},;_]+/)
  const [unit] = [...bracketsOf(plain), ...words.slice(1), words.slice(-2).join(' ')].flatMap(
    (part) => readUnit(part) ?? [],
  )
  return unit ?? null
}

/** What a column of a table of measured values contains, by its heading. */
export type ValueRole = 'value' | 'unit' | 'type' | 'relation' | 'not taken' | null

const roles: [ValueRole, RegExp][] = [
  ['relation', /^(?:\w+ )?(?:relation|qualifier|operator|modifier|prefix|censor(?:ed|ing)?)\b/],
  ['unit', /^(?:\w+ )?units?$|^(?:kd|ki|ic50) units?\b/],
  ['not taken', /\b(?:assay|target|bao|bioassay|screen|document|relation|molecule) type\b/],
  ['type', /^(?:standard |activity |measured |value |result )?type\b|^endpoint$|^parameter$/],
  // Rates of binding and unbinding, and the constants of them.
  [
    'not taken',
    /\/ ?s\b|\bs ?\^?-1|1\/ ?s|\/ ?m\/? ?s\b|\bk ?on\b|\bk ?off\b|^ka\b|\bper second\b/,
  ],
  // Errors, counts, ranges and percentages.
  [
    'not taken',
    /\b(?:se|sem|sd|std|stdev|stddev|err|errors?|cv|rsd|ci|ci95|uncertainty|deviation)\b|±/,
  ],
  [
    'not taken',
    /\b(?:n|count|counts|replicates?|repeats?|number|runs)$|\b(?:min|max|lower|upper|low|high|range)\b/,
  ],
  [
    'not taken',
    /%|\b(?:percent|inhibition|inh|efficacy|emax|hill|slope|r2|ratio|fold|selectivity)\b/,
  ],
  ['not taken', /\b(?:p?ec50|p?ac50|gi50|cc50|ed50|ld50|potency at)\b/],
  [
    'value',
    /^(?:standard |measured |mean |median |average )*(?:value|affinity|activity|p?activity value)\b/,
  ],
  // A positive logarithm is not read: its unit is not known.
  ['not taken', /(?:^|[^-\s])\s*log/],
  ['value', /\bp?(?:kd|ki|ic50|chembl)\b|^-\s?log/],
]

export function roleOf(heading: string): ValueRole {
  const plain = plainOf(heading).replaceAll(/_/g, ' ')
  return roles.find(([, pattern]) => pattern.test(plain))?.[0] ?? null
}

/** What stands in the brackets of a heading in place of a unit and is not read, such as `µg/mL` or `%`. */
export function unreadUnitOf(heading: string): string | null {
  const isUnread = (text: string) =>
    /g\s?\/|\/\s?m?l\b|%|ppm|\uFFFD/i.test(text) && readUnit(text) === null
  return bracketsOf(heading).find(isUnread) ?? null
}

function bracketsOf(text: string): string[] {
  return [...text.matchAll(/[([{]([^()[\]{}]{1,30})[)\]}]/g)].map(([, inner = '']) => inner)
}
