/** Reads one measured value. After the number, only a unit, an error or a count may follow. */
import type { MeasurementType, MeasurementUnit } from '@pkdex/contract'
import { plain, readScale, readType, refuseUnit, type Scale } from './kinds.ts'
import { type Comma, leadingNumber, numberOf } from './marks.ts'

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
}

export type Told<T> = ({ ok: true } & T) | { ok: false; reason: string }
type Answer = Told<{ measured: MeasuredValue }>

/** `relation`: a cell of its own, as in `>` or `'>'`. */
export type ValueCell = { text: string; comma: Comma; relation?: string }

export function readValue(cell: ValueCell, kind: ValueKind): Answer {
  const said = plain(cell.text)
  if (said === '') return refuse('The value is missing.')
  const [signs = ''] = /^[\s"'<>≤≥~=≈]*/u.exec(said) ?? []
  const number = leadingNumber(said.slice(signs.length))
  if (cell.comma === 'asked' && /,|^\d{1,3}(?:\.\d{3})+$/.test(number)) {
    return refuse(askComma(number))
  }
  const size = said.length > VALUE_CHARACTERS_MAX ? null : numberOf(number, cell.comma)
  if (size === null) return refuse(`“${shorten(cell.text.trim())}” is not a number.`)
  const relation = joinRelations(signs, cell.relation ?? '')
  if (!relation.ok) return relation
  const rest = readRest(said.slice(signs.length + number.length))
  if (!rest.ok) return rest
  return measure(
    { size, number, relation: relation.sign, rest, isComma: cell.comma === 'decimal' },
    kind,
  )
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

const relationWords: Record<string, Sign> = {
  '': '',
  gt: '>',
  ge: '>',
  gte: '>',
  'greater than': '>',
  'more than': '>',
  above: '>',
  lt: '<',
  le: '<',
  lte: '<',
  'less than': '<',
  below: '<',
  eq: '',
  equal: '',
  equals: '',
  exact: '',
  'equal to': '',
  approximately: '',
  about: '',
  ca: '',
  'ca.': '',
}

/** The sign of a relation, in quotes or not, or in words; null if it is none. */
export function readRelation(text: string): Sign | null {
  const said = plain(text)
    .replaceAll(/["'‘’“”\s]+/g, ' ')
    .trim()
    .toLowerCase()
  if (Object.hasOwn(relationWords, said)) return relationWords[said] ?? ''
  if (!/^[<>≤≥~=≈ ]+$/u.test(said)) return null
  const [isMore, isLess] = [/[>≥]/u.test(said), /[<≤]/u.test(said)]
  if (isMore && isLess) return null
  return isMore ? '>' : isLess ? '<' : ''
}

function joinRelations(inCell: string, own: string): Told<{ sign: Sign }> {
  const [signs, column] = [readRelation(inCell), readRelation(own)]
  if (signs === null) return refuse(`“${inCell.trim()}” is not a relation: write < or >.`)
  if (column === null) return refuse(`“${shorten(own.trim())}” is not a relation: write <, > or =.`)
  if (signs !== '' && column !== '' && signs !== column) {
    return refuse(`The value says ${signs}, but its relation says ${column}.`)
  }
  return { ok: true, sign: signs || column }
}

/** Before the cells of a line that has more than the heading. */
export const MORE_CELLS = '|'
const moreCells =
  'The line has more cells than the heading: write numbers with a point, or put them in quotes.'

type Rest = { scale?: Scale; type?: MeasurementType; power: number }

/** A power of ten, an error, a count, and a unit or type, each at most once. */
function readRest(text: string): Told<Rest> {
  const bare = text
    .replace(/\(?\bn ?= ?\d{1,4}\)?/i, ' ')
    .replace(/\(?(?:±|\+\/-|\+-) ?\d[\d.,]*(?:e[+-]?\d{1,3})?\)?/i, ' ')
    .trim()
  const [times = '', power = '0'] = /^[x×*·] ?10 ?\^? ?([+-]?\d{1,2})\b/iu.exec(bare) ?? []
  const unit = bare.slice(times.length).trim()
  const read: Rest = { power: Number(power) }
  if (unit === '') return { ok: true, ...read }
  const words = unit.split(/\s+/)
  for (const said of [
    [unit],
    [words[0] ?? '', words.slice(1).join(' ')],
    [words.slice(0, -1).join(' '), words.at(-1) ?? ''],
  ]) {
    const kind = readKindWords(said.filter((word) => word !== ''))
    if (kind !== null) return { ok: true, ...read, ...kind }
  }
  if (unit.startsWith(MORE_CELLS)) return refuse(moreCells)
  return refuse(
    /^-\s*\d/.test(unit) ? 'A range is not a value: write one number.' : refuseUnit(unit),
  )
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
