/** Reads one measured value. After the number, only a unit, an error or a count may follow. */
import type { MeasurementType, MeasurementUnit } from '@pkdex/contract'
import { plain, type Quantity, readScale, readType, refuseUnit, type Scale } from './kinds.ts'
import { type Comma, leadingNumber, numberOf } from './marks.ts'

/** After the value of a line that has more cells than the heading. */
export const MORE_CELLS = '|'
export const moreCells =
  'The line has more cells than the heading: put numbers and texts with a comma in quotes.'

/** A longer cell is not a number. */
const VALUE_CHARACTERS_MAX = 60

export type MeasuredValue = {
  type: MeasurementType
  pk: number
  bound: 'upper' | 'lower' | null
  /** As shown to the user: `> 10 µM`. */
  value: string
}

/** What a value is if its cell does not say it. `isNegated`: log10 of mol/L, so the sign is turned. */
export type ValueKind = {
  type: MeasurementType
  scale: Scale | undefined
  isNegated?: boolean | undefined
  /** What the line says in columns of its own. */
  own?: { scale?: Scale; type?: MeasurementType }
}

export type Told<T> = ({ ok: true } & T) | { ok: false; reason: string }
type Answer = Told<{ measured: MeasuredValue }>

/** `relation`: a cell of its own, as in `>` or `'>'`. */
export type ValueCell = { text: string; comma: Comma; relation?: string }

export function readValue(cell: ValueCell, kind: ValueKind): Answer {
  const plainText = plain(cell.text)
  if (plainText === '') return refuse('The value is missing.')
  if (plainText.endsWith(MORE_CELLS)) return refuse(moreCells)
  if (/^[([]/.test(plainText)) {
    return refuse('A value in brackets may be an error or an estimate: write it without them.')
  }
  const lead = readLead(plainText)
  if (!lead.ok) return lead
  const number = leadingNumber(lead.rest)
  if (cell.comma === 'asked' && /,|^\d{1,3}(?:\.\d{3})+$/.test(number)) {
    return refuse(askComma(number))
  }
  const size = plainText.length > VALUE_CHARACTERS_MAX ? null : numberOf(number, cell.comma)
  if (size === null) return refuse(`“${shorten(cell.text.trim())}” is not a number.`)
  const relation = joinRelations(lead.relation, cell.relation ?? '')
  if (!relation.ok) return relation
  const rest = readRest(lead.rest.slice(number.length))
  if (!rest.ok) return rest
  const stated = join(lead.type, rest)
  if (!stated.ok) return stated
  const conflict = conflictOf(stated, kind)
  if (conflict !== null) return refuse(conflict)
  return measure(
    { size, number, relation: relation.sign, rest: stated, isComma: cell.comma === 'decimal' },
    kind,
  )
}

type Lead = { rest: string; relation: string; type: Quantity | null }

const quantityAtStart =
  /^(?:(?:-|- )?log(?:10)? ?)?p?(?:(?:ic|ec|gi|ac|cc|ed|ld|xc|dc)[ _-]?\d\d|k[ _]?[a-z])(?:,? ?app)?(?![a-z\d])[\s:]*/i
const relationAtStart = /^["'<>≤≥~=≈\s]*(?:[a-z][a-z. ]{0,20}[. ])?["'<>≤≥~=≈\s]*/iu

/** `Ki = ca. 5 nM`: a type, a relation in signs or words, and what follows. */
function readLead(text: string): Told<Lead> {
  const [name = ''] = quantityAtStart.exec(text) ?? []
  const type = name === '' ? null : readType(name.replaceAll(/[:,]|app/gi, ''))
  if (name !== '' && type === null) return refuse(refuseType(name.trim()))
  const after = text.slice(name.length)
  const [words = ''] = relationAtStart.exec(after) ?? []
  const rest = after.slice(words.length).replace(/^10 ?\^ ?\(?([+-]?\d{1,2})\)?/, '1e$1')
  return { ok: true, rest, relation: words, type }
}

/** The number of a cell, behind a type and a relation; empty if there is none. */
export function numberIn(cell: string): string {
  const lead = readLead(plain(cell))
  return lead.ok ? leadingNumber(lead.rest) : ''
}

export function refuseType(text: string): string {
  return `“${text}” is not read: only Kd, Ki and IC50 are.`
}

/** The type before the number and what follows it. */
function join(lead: Quantity | null, rest: Rest): Told<Rest> {
  if (lead?.type === undefined) return { ok: true, ...rest }
  if (rest.type !== undefined && rest.type !== lead.type) {
    return refuse(`The value says ${lead.type} and ${rest.type}.`)
  }
  if (lead.isLog && rest.scale !== undefined && rest.scale.unit !== 'p') {
    return refuse(`A p${lead.type} has no unit.`)
  }
  const scale: Scale | undefined = lead.isLog ? { unit: 'p', factor: 1 } : rest.scale
  return { ok: true, ...rest, type: lead.type, ...(scale !== undefined && { scale }) }
}

/** What a cell says against the columns of unit and type. */
function conflictOf({ scale, type }: Rest, { own }: ValueKind): string | null {
  const isOther = own?.scale !== undefined && scale !== undefined && own.scale.unit !== scale.unit
  if (isOther) return `The value says ${nameOf(scale)}, but its unit says ${nameOf(own.scale)}.`
  if (own?.type === undefined || type === undefined || own.type === type) return null
  return `The value says ${type}, but its type says ${own.type}.`
}

function nameOf(scale: Scale | undefined): string {
  return scale === undefined || scale.unit === 'p' ? 'pK' : scale.unit
}

type ReadNumber = { size: number; number: string; relation: Sign; rest: Rest; isComma: boolean }

function measure({ size, number, relation, rest, isComma }: ReadNumber, kind: ValueKind): Answer {
  const scale = rest.scale ?? kind.scale
  if (scale === undefined) return refuse('The unit is missing: add nM, µM, pKd, pKi or pIC50.')
  const known = { type: rest.type ?? kind.type, unit: scale.unit, relation }
  if (scale.unit === 'p') return asPk({ ...known, ...turned(size, relation, kind) })
  const factor = scale.factor * 10 ** rest.power
  const isAsWritten = factor === 1 && !isComma
  const shown = isAsWritten ? number.replaceAll(/[,'’\s]/gu, '') : String(round(size * factor))
  return asConcentration({ ...known, number: size * factor, shown })
}

/** Without the digits that floating-point arithmetic adds. */
function round(number: number): number {
  return Number(number.toPrecision(12))
}

function askComma(number: string): string {
  const mark = number.includes(',') ? 'comma' : 'point'
  const without =
    mark === 'comma' ? 'with a point or without a comma' : 'without a point between thousands'
  return `“${number}” may have a decimal ${mark} or a ${mark} between thousands: write it ${without}.`
}

function shorten(text: string): string {
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

/** Direction of a bound: above, below, or exact. */
type Sign = '>' | '<' | ''

/** Before a number, or in a column of relations. */
const relationWords: Record<Sign, string> = {
  '>': 'gt, ge, gte, greater than, more than, above, over, at least',
  '<': 'lt, le, lte, less than, below, under, at most, up to',
  '': 'eq, equal, equals, equal to, exact, approximately, approx, about, around, circa, ca, c',
}
/** Only in a column: `right` of a curve that is cut off there. */
const columnWords: Record<Sign, string> = {
  '>': 'right',
  '<': 'left',
  '': 'none, no, false, uncensored, 0',
}

const RELATION_CHARACTERS_MAX = 20

/** The sign of a relation, in quotes or not, or in words; null if it is none. */
export function readRelation(text: string): Sign | null {
  return signOf(text, (sign) => `${relationWords[sign]}, ${columnWords[sign]}`)
}

function signOf(text: string, wordsOf: (sign: Sign) => string): Sign | null {
  const plainText = plain(text).replaceAll(/["'‘’“”\s]+/g, ' ')
  const signs = plainText.replaceAll(/[^<>≤≥]/gu, '')
  const words = plainText
    .replaceAll(/[<>≤≥~=≈]/gu, ' ')
    .toLowerCase()
    .replaceAll(/\.(?=\s|$)/g, '')
    .trim()
  const isMore = /[>≥]/u.test(signs)
  if (isMore && /[<≤]/u.test(signs)) return null
  const sign: Sign = isMore ? '>' : signs === '' ? '' : '<'
  if (words === '') return sign
  if (words.length > RELATION_CHARACTERS_MAX) return null
  const spoken = (['>', '<', ''] as const).find((one) => wordsOf(one).split(', ').includes(words))
  if (spoken === undefined || (spoken !== '' && sign !== '' && spoken !== sign)) return null
  return sign || spoken
}

function joinRelations(inCell: string, own: string): Told<{ sign: Sign }> {
  const [signs, column] = [signOf(inCell, (sign) => relationWords[sign]), readRelation(own)]
  if (signs === null) return refuse(`“${inCell.trim()}” is not a relation: write < or >.`)
  if (column === null) return refuse(`“${shorten(own.trim())}” is not a relation: write <, > or =.`)
  if (signs !== '' && column !== '' && signs !== column) {
    return refuse(`The value says ${signs}, but its relation says ${column}.`)
  }
  return { ok: true, sign: signs || column }
}

type Rest = { scale?: Scale; type?: MeasurementType; power: number }

/** A power of ten, an error, a count, and a unit or type, each at most once. */
function readRest(text: string): Told<Rest> {
  const bare = text
    .replace(/[,;]? ?\(?\bn ?= ?\d{1,4}\)?/i, ' ')
    .replace(/\(?(?:±|\+\/-|\+-) ?\d[\d.,]*(?:e[+-]?\d{1,3})?\)?/i, ' ')
    .trim()
  const [times = '', power = '0'] =
    /^[x×*·] ?10 ?(?:\^|(?=[+-])) ?\(?([+-]?\d{1,2})(?!\d)\)?/iu.exec(bare) ?? []
  const unit = bare.slice(times.length).trim()
  const read: Rest = { power: Number(power) }
  if (unit === '') return { ok: true, ...read }
  const words = unit.split(/\s+/)
  for (const split of [
    [unit],
    [words[0] ?? '', words.slice(1).join(' ')],
    [words.slice(0, -1).join(' '), words.at(-1) ?? ''],
  ]) {
    const kind = readKindWords(split.filter((word) => word !== ''))
    if (kind !== null) return { ok: true, ...read, ...kind }
  }
  return refuse(refuseRest(unit))
}

function refuseRest(rest: string): string {
  if (/^(?:-|to\b|\.\.)\s*[<>~]?\d/.test(rest)) return 'A range is not a value: write one number.'
  const first = /^[^\s,;]*/.exec(rest)?.[0] ?? ''
  const hasNumber = /\d/.test(rest) && !rest.startsWith('%')
  const isMore = readScale(first) !== null || (hasNumber && /^[^a-z]|\s/i.test(rest))
  return isMore
    ? `“${shorten(rest)}” after the number is not read: write one number and its unit.`
    : refuseUnit(rest)
}

/** Null unless every word is a unit or a type. */
function readKindWords(words: string[]): Omit<Rest, 'power'> | null {
  const read: Omit<Rest, 'power'> = {}
  for (const word of words) {
    const [scale, type] = [readScale(word), readType(word.replace(/^\((.*)\)$/, '$1'))]
    if (scale !== null && read.scale === undefined) read.scale = scale
    else if (type?.type !== undefined && read.type === undefined) {
      read.type = type.type
      if (type.isLog) read.scale ??= { unit: 'p', factor: 1 }
    } else return null
  }
  return read
}

const exponents = { pM: -12, nM: -9, µM: -6, mM: -3, M: 0 } as const
/** No assay measures concentrations beyond this. */
const PK_MIN = 0
const PK_MAX = 16

type Known = { type: MeasurementType; unit: MeasurementUnit; relation: Sign; number: number }

/** log10 of mol/L becomes a pK, and its bounds change direction. */
function turned(number: number, relation: Sign, { isNegated }: ValueKind) {
  if (isNegated !== true) return { number, relation }
  const turnedSigns = { '>': '<', '<': '>', '': '' } as const
  return { number: -number, relation: turnedSigns[relation] }
}

function asPk({ type, relation, number: pk }: Known): Answer {
  if (pk < PK_MIN || pk > PK_MAX) {
    return refuse(`p${type} ${pk} is outside the range 0 to 16. Is it a concentration?`)
  }
  const bounds = { '>': 'lower', '<': 'upper', '': null } as const
  const value = [`p${type}`, relation, pk].filter((part) => part !== '').join(' ')
  return { ok: true, measured: { type, pk, bound: bounds[relation], value } }
}

/** A higher concentration is a lower pK. */
function asConcentration({
  type,
  unit,
  relation,
  number,
  shown,
}: Known & { shown: string }): Answer {
  if (unit === 'p') throw new Error('not a concentration')
  if (number <= 0) return refuse('The concentration must be greater than 0.')
  const pk = -(Math.log10(number) + exponents[unit])
  if (pk < PK_MIN || pk > PK_MAX) {
    return refuse(`${number} ${unit} is outside the measurable range. Check the unit.`)
  }
  const bounds = { '>': 'upper', '<': 'lower', '': null } as const
  const value = [type, relation, shown, unit].filter((part) => part !== '').join(' ')
  return { ok: true, measured: { type, pk, bound: bounds[relation], value } }
}
