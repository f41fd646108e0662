/**
 * Splits PDB text into lines and decodes single columns: decimals, residue numbers (also hybrid-36), elements.
 */

/** A decimal between two columns; NaN for anything else, including blanks. */
export function decimalBetween(line: string, from: number, to: number): number {
  let start = from
  while (line.charCodeAt(start) === blank && start < to) start++
  const isNegative = line.charCodeAt(start) === minus
  if (isNegative) start++
  const point = line.indexOf('.', start)
  const places = to - point - 1
  if (point < 0 || places < 1) return unusualDecimal(line, from, to)
  const scale = 10 ** places
  const size =
    (digitsBetween(line, start, point) * scale + digitsBetween(line, point + 1, to)) / scale
  if (Number.isNaN(size)) return unusualDecimal(line, from, to)
  return isNegative ? -size : size
}

const blank = 32
const minus = 45
const zero = 48

/** A whole number without a sign; NaN for anything but digits. */
function digitsBetween(line: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) {
    const digit = line.charCodeAt(at) - zero
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/** Signs, exponents, trailing blanks: rare, so speed does not matter. */
function unusualDecimal(line: string, from: number, to: number): number {
  const columns = line.slice(from, to).trim()
  return columns === '' ? Number.NaN : Number(columns)
}

/** A residue number: decimal, or hybrid-36 (`A000` is 10000); null otherwise. */
export function residueNumber(columns: string): number | null {
  const text = columns.trim()
  if (/^[+-]?\d+$/.test(text)) return Number(text)
  if (/^[A-Z][0-9A-Z]{3}$/.test(text)) return Number.parseInt(text, 36) - 10 * 36 ** 3 + 10_000
  if (/^[a-z][0-9a-z]{3}$/.test(text)) return Number.parseInt(text, 36) + 16 * 36 ** 3 + 10_000
  return null
}

/**
 * The element from columns 77-78 or, if they are blank, from the atom name. Columns 13-14 contain the element
 * right-aligned, but many programs shift names to the left, so in a chain's residue (`isResidue`) `CA` is a carbon in
 * either position.
 */
export function elementOf(columns: string, rawName: string, residueName: string): string {
  const written = columns.trim().toUpperCase()
  if (elements.has(written)) return written === 'D' ? 'H' : written
  const letters = rawName.replace(/[^A-Za-z]/g, '').toUpperCase()
  const ion = forceFieldIons.get(residueName)
  if (ion !== undefined) return ion
  const two = rawName.slice(0, 2).toUpperCase()
  if (clearTwoLetters.has(two) || (elements.has(two) && residueName.startsWith(two))) return two
  const first = letters.slice(0, 1)
  if (first === 'D') return 'H'
  return elements.has(first) ? first : 'C'
}

/** Ions as CHARMM names them. */
const forceFieldIons = new Map([
  ['SOD', 'NA'],
  ['CLA', 'CL'],
  ['POT', 'K'],
  ['CAL', 'CA'],
  ['CES', 'CS'],
])

/** Two letters in columns 13-14 that are almost always this element. */
const clearTwoLetters = new Set('CL BR MG ZN FE MN SE SI AL CU NI LI'.split(' '))

const elements = new Set(
  (
    'H D HE LI BE B C N O F NE NA MG AL SI P S CL AR K CA SC TI V CR MN FE CO NI CU ZN GA GE AS SE BR ' +
    'KR RB SR Y ZR NB MO TC RU RH PD AG CD IN SN SB TE I XE CS BA LA CE PR ND SM EU GD TB DY HO ER TM ' +
    'YB LU HF TA W RE OS IR PT AU HG TL PB BI U'
  ).split(' '),
)

// Lines end at LF, CRLF or a lone CR; they are cut without copying the text.

/** Lines in order, each cut off after `lengthMax` characters. */
export function* splitLines(text: string, lengthMax: number): Generator<string, void> {
  let from = 0
  let newline = -1
  let carriage = -1
  while (from < text.length) {
    if (newline < from) newline = positionOf(text, '\n', from)
    if (carriage < from) carriage = positionOf(text, '\r', from)
    const to = Math.min(newline, carriage)
    yield text.slice(from, Math.min(to, from + lengthMax))
    from = carriage + 1 === newline ? newline + 1 : to + 1
  }
}

function positionOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from)
  return found < 0 ? text.length : found
}
