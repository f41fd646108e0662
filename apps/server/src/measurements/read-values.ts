/**
 * Reads measured values as chemists write them: a line each of compound, value and unit, from a file or pasted
 * from a table. Every line gets an answer: a value as pK, or a sentence that says what is wrong with it.
 */
import type { MeasurementImport, MeasurementType, MeasurementUnit } from '@pkdex/contract'

export type MeasuredLine = {
  line: number
  /** As it stands in the import. */
  text: string
  /** A name, or SMILES. */
  compound: string
  measured: MeasuredValue
}

export type MeasuredValue = {
  type: MeasurementType
  pk: number
  bound: 'upper' | 'lower' | null
  /** As a person reads it: `> 10 µM`. */
  value: string
}

type Rejected = { line: number; text: string; reason: string }
export type MeasuredLines = { lines: MeasuredLine[]; rejected: Rejected[] }

type Read<T> = ({ ok: true } & T) | { ok: false; reason: string }

/** What a value is that does not say so itself. */
type Kind = { type: MeasurementType; unit: MeasurementUnit | undefined }

export function readImport({ text, values, type, unit }: MeasurementImport): MeasuredLines {
  const otherwise = { type, unit }
  const read: MeasuredLines = { lines: [], rejected: [] }
  const take = (line: number, raw: RawLine) => {
    const compound = raw.compound.trim()
    const flaw = compound === '' ? 'It names no compound.' : flawOf(compound)
    const measured =
      flaw === null ? readValue(raw.value, raw.kind) : { ok: false as const, reason: flaw }
    const said = raw.text.slice(0, SHOWN_CHARACTERS)
    if (measured.ok) read.lines.push({ line, text: said, compound, measured: measured.measured })
    else read.rejected.push({ line, text: said, reason: measured.reason })
  }
  for (const [place, row] of (values ?? []).entries()) {
    const kind = { type: row.type ?? type, unit: row.unit ?? unit }
    const raw = { compound: row.compound, value: String(row.value), kind }
    take(place + 1, { ...raw, text: `${row.compound} ${row.value}` })
  }
  if (text !== undefined) {
    for (const { line, raw } of splitText(text, otherwise)) take(line, raw)
  }
  return read
}

const SHOWN_CHARACTERS = 120

function flawOf(compound: string): string | null {
  return /\p{Cc}/u.test(compound) ? 'It holds a character that cannot be read.' : null
}

type RawLine = { text: string; compound: string; value: string; kind: Kind }

/** Columns, by name where the first line names them, else compound, value, unit, type. */
function splitText(text: string, otherwise: Kind): { line: number; raw: RawLine }[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((said, index) => ({ line: index + 1, said }))
    .filter(({ said }) => said.trim() !== '')
  const [first] = lines
  if (first === undefined) return []
  const separator = separatorOf(lines.map(({ said }) => said))
  const header = readHeader(splitCells(first.said, separator))
  const columns = header ?? plainColumns
  return (header === null ? lines : lines.slice(1)).map(({ line, said }) => {
    const cells = splitCells(said, separator)
    const cell = (column: number | null) => (column === null ? '' : (cells[column] ?? ''))
    const spoken = readKind(`${cell(columns.unit)} ${cell(columns.type)}`)
    const kind = {
      type: spoken.type ?? columns.kind.type ?? otherwise.type,
      unit: spoken.unit ?? columns.kind.unit ?? otherwise.unit,
    }
    // A decimal comma, which is one only where commas do not separate the columns.
    const value = cell(columns.value)
    const plain = separator === ',' ? value : value.replace(/^([^,]*),(\d+)([^,]*)$/, '$1.$2$3')
    return { line, raw: { text: said, compound: cell(columns.compound), value: plain, kind } }
  })
}

type Separator = '\t' | ';' | ',' | ' '

/** The one that splits the most lines into columns; no SMILES holds a tab, a semicolon or a comma. */
function separatorOf(lines: string[]): Separator {
  const sharesOf = (separator: string) => lines.filter((line) => line.includes(separator)).length
  for (const separator of ['\t', ';', ','] as const) {
    if (sharesOf(separator) > lines.length / 2) return separator
  }
  return ' '
}

/** A cell in quotes may hold the separator; a quote in it is doubled. */
function splitCells(line: string, separator: Separator): string[] {
  if (separator === ' ') return splitWords(line)
  const cells = line.matchAll(
    new RegExp(
      `(?:^|${separator})(?:\\s*"((?:[^"]|"")*)"\\s*(?=${separator}|$)|([^${separator}]*))`,
      'g',
    ),
  )
  return Array.from(cells, ([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  )
}

/** The value is the last number; what stands before it is the compound, whose name may have spaces. */
function splitWords(line: string): string[] {
  const [, compound = line, value = '', unit = ''] =
    /^\s*(.*?)\s+([<>≤≥~=]*\s*[\d.,]+(?:e[+-]?\d+)?)\s*([a-zµμ0-9 ]*)$/iu.exec(line) ?? []
  return [compound, value, unit]
}

type Columns = {
  compound: number
  value: number
  unit: number | null
  type: number | null
  /** What the name of the value's column says. */
  kind: SpokenKind
}

const plainColumns: Columns = { compound: 0, value: 1, unit: 2, type: 3, kind: {} }

/** A number with what may stand before and behind it. */
const written = /^([<>≤≥~=≈]*)\s*((?:\d[\d.,']*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/iu

const compoundWords = /^(compound|name|smiles|molecule|ligand|drug|id)\b/i
const valueWords = /^(standard |measured )?(value|affinity|activity|p?kd|p?ki|p?ic50)\b/i

/** Null where the first line is not one of names: it holds a number, or names no value. */
function readHeader(cells: string[]): Columns | null {
  const value = cells.findIndex((cell) => valueWords.test(cell))
  if (value === -1 || cells.some((cell) => written.test(cell))) return null
  const isNamed = (words: RegExp) => cells.findIndex((cell, at) => at !== value && words.test(cell))
  const [compound, unit, type] = [
    isNamed(compoundWords),
    isNamed(/^(standard )?units?\b/i),
    isNamed(/^(standard )?type\b/i),
  ]
  return {
    compound: compound === -1 ? (value === 0 ? 1 : 0) : compound,
    value,
    unit: unit === -1 ? null : unit,
    type: type === -1 ? null : type,
    kind: readKind(cells[value] ?? ''),
  }
}

type SpokenKind = { type?: MeasurementType; unit?: MeasurementUnit }

const types: Record<string, MeasurementType> = { kd: 'Kd', ki: 'Ki', ic50: 'IC50' }
const units: Record<string, MeasurementUnit> = { pm: 'pM', nm: 'nM', um: 'µM', mm: 'mM', m: 'M' }

/** `pKi`, `IC50 (uM)`, `nM`: what of it is there. */
function readKind(text: string): SpokenKind {
  const plain = text.replaceAll(/[µμ]/gu, 'u')
  const [, p, name] = /\b(p?)(kd|ki|ic50)\b/i.exec(plain) ?? []
  const [, molar] = /(?:^|[^a-z0-9])([pnum]?m)(?![a-z0-9])/i.exec(plain) ?? []
  const type = name === undefined ? undefined : types[name.toLowerCase()]
  const unit = p ? 'p' : molar === undefined ? undefined : units[molar.toLowerCase()]
  return { ...(type && { type }), ...(unit && { unit }) }
}

/** `>10`, `< 5.0`, `12 nM`. */
export function readValue(text: string, kind: Kind): Read<{ measured: MeasuredValue }> {
  const said = text.trim()
  if (said === '') return refuse('It has no value.')
  const found = written.exec(said)
  const number = numberOf(found?.[2])
  if (found === null || number === null) return refuse(`“${said}” is not a number.`)
  const [rest, spoken] = [found[3], readKind(found[3] ?? '')]
  if (rest && spoken.unit === undefined && spoken.type === undefined) {
    return refuse(`“${rest}” is not a unit: write nM, µM or pKd.`)
  }
  return toMeasured(relationOf(found[1]), number, { ...kind, ...spoken })
}

/** Commas and apostrophes may part thousands. */
function numberOf(digits: string | undefined): number | null {
  const number = Number(digits?.replaceAll(/[,']/g, ''))
  return Number.isFinite(number) ? number : null
}

function toMeasured(relation: Relation, number: number, { type, unit }: Kind): Answer {
  if (unit === undefined) return refuse('It has no unit: write nM, µM, or pKd, pKi or pIC50.')
  return unit === 'p' ? asPk(relation, number, type) : asConcentration(relation, number, unit, type)
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

/** What the number says of the truth: more than it, less than it, or it. */
type Relation = '>' | '<' | ''

function relationOf(sign = ''): Relation {
  const [isMore, isLess] = [/[>≥]/u.test(sign), /[<≤]/u.test(sign)]
  if (isMore === isLess) return ''
  return isMore ? '>' : '<'
}

const exponents = { pM: -12, nM: -9, µM: -6, mM: -3, M: 0 } as const
/** No assay reaches further. */
const PK_MIN = 0
const PK_MAX = 16

type Answer = Read<{ measured: MeasuredValue }>

function asPk(relation: Relation, pk: number, type: MeasurementType): Answer {
  if (pk < PK_MIN || pk > PK_MAX) {
    return refuse(`${pk} as p${type} is beyond what an assay can measure: is it a concentration?`)
  }
  const bounds = { '>': 'lower', '<': 'upper', '': null } as const
  const value = [`p${type}`, relation, pk].filter((part) => part !== '').join(' ')
  return { ok: true, measured: { type, pk, bound: bounds[relation], value } }
}

/** A higher concentration is a lower pK. */
function asConcentration(
  relation: Relation,
  number: number,
  unit: keyof typeof exponents,
  type: MeasurementType,
): Answer {
  if (number <= 0) return refuse('A concentration must be more than 0.')
  const pk = -(Math.log10(number) + exponents[unit])
  if (pk < PK_MIN || pk > PK_MAX) {
    return refuse(`${number} ${unit} is beyond what an assay can measure: is the unit right?`)
  }
  const bounds = { '>': 'upper', '<': 'lower', '': null } as const
  const value = [type, relation, number, unit].filter((part) => part !== '').join(' ')
  return { ok: true, measured: { type, pk, bound: bounds[relation], value } }
}
