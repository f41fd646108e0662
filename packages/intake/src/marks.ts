/** Numbers as people write them. The sense of a comma is decided once for a column. */

/** `asked`: the column does not say whether a comma is a decimal mark. */
export type Comma = 'decimal' | 'thousands' | 'asked'

/** A number at the start of a text: digits with marks, and an exponent. Groups may be separated by spaces. */
const numberAtStart =
  /^[+-]?(?:\d{1,3}(?:[ \u00A0\u202F\u2009]\d{3})+(?!\d)|\d[\d'’]*|(?=[.,]\d))(?:[.,][\d.,']*)?(?:e[+-]?\d{1,3})?/iu

export function leadingNumber(text: string): string {
  return numberAtStart.exec(text)?.[0] ?? ''
}

type Sense = 'decimal' | 'thousands' | 'either' | 'none' | 'point'

/** What one number says about commas. */
function senseOf(number: string): Sense {
  const digits = (number.split(/e/i, 1)[0] ?? '').replace(/^[+-]/, '')
  const [commas, points] = [digits.split(',').length - 1, digits.split('.').length - 1]
  if (commas === 0) {
    if (points > 1) return DOTTED.test(digits) ? 'decimal' : 'none'
    return points === 1 ? 'point' : 'none'
  }
  if (points > 0) return digits.lastIndexOf(',') > digits.lastIndexOf('.') ? 'decimal' : 'thousands'
  if (!/^[1-9]\d{0,2}(?:,\d{3})+$/.test(digits)) return 'decimal'
  return commas > 1 ? 'thousands' : 'either'
}

/** Points that separate thousands, and a decimal comma. */
const DOTTED = /^\d{1,3}(?:\.\d{3})+(?:,\d*)?$/

/** Two or more groups with points, which are no decimal marks. */
const GROUPED = /^\d{1,3}(?:\.\d{3}){2,}(?:,\d*)?$/

/** `1.234.567`: then `1.234` has a point between thousands too, unless another number has a decimal point. */
function ofGrouped(numbers: string[]): Comma {
  const isOther = (one: string) =>
    /[.,]/.test(one) && !DOTTED.test(one) && senseOf(one) !== 'decimal'
  return numbers.some(isOther) ? 'asked' : 'decimal'
}

/** What else is known of the marks of a column. */
export type CommaHints = {
  /** Commas are usual as decimal marks, because semicolons separate the columns. */
  isUsual?: boolean
  /** Another column has decimal commas. */
  isSeen?: boolean
  /** The values are logarithms, which have no thousands. */
  isLog?: boolean
}

export function commaOf(cells: string[], hints: CommaHints = {}): Comma {
  const numbers = cells.map((cell) => leadingNumber(cell.replace(/^[\s"'<>≤≥~=≈]*/u, '')))
  const senses = new Set(numbers.map(senseOf))
  if (hints.isLog === true && senses.delete('either')) senses.add('decimal')
  if (numbers.some((one) => GROUPED.test(one))) return ofGrouped(numbers)
  if (!senses.has('decimal')) return withoutDecimal(numbers, senses, hints)
  const isMixed =
    senses.has('point') && !numbers.some((one) => one.includes('.') && one.includes(','))
  return isMixed || senses.has('thousands') ? 'asked' : 'decimal'
}

function withoutDecimal(
  numbers: string[],
  senses: ReadonlySet<Sense>,
  { isUsual = false, isSeen = false }: CommaHints,
): Comma {
  if (senses.has('point')) {
    const isDotted = (one: string) => /^[1-9]/.test(one) && DOTTED.test(one)
    const isOpen = isSeen && numbers.every((one) => !one.includes('.') || isDotted(one))
    return isOpen ? 'asked' : 'thousands'
  }
  const isOpen = senses.has('either') && (isUsual || isSeen)
  return isOpen && !senses.has('thousands') ? 'asked' : 'thousands'
}

/** Whether some column of a table has decimal commas for certain: `0,5`, `12,5`. */
export function hasDecimalComma(rows: string[][]): boolean {
  return rows
    .slice(0, 200)
    .some((row) => row.some((cell) => /^[<>~-]? ?(?:\d{1,6},\d{1,2}|0,\d{1,9})$/.test(cell)))
}

/** A cell with its number as programs write it; unchanged if its marks make none. */
export function withPoint(cell: string, comma: Comma): string {
  const start = Math.max(0, cell.search(/[\d.,]/))
  const number = leadingNumber(cell.slice(start))
  if (numberOf(number, comma) === null) return cell
  const digits =
    comma === 'decimal' && /,|\.\d{3}/.test(number)
      ? number.replaceAll('.', '').replace(',', '.')
      : number.replaceAll(',', '')
  return cell.slice(0, start) + digits + cell.slice(start + number.length)
}

/** Null if the marks make no number. */
export function numberOf(text: string, comma: Comma): number | null {
  const bare = text.replaceAll(/[ \u00A0\u202F\u2009'’]/gu, '')
  const [mantissa = '', exponent = '0'] = bare.split(/e/i)
  const digits = mantissa.replace(/^[+-]/, '')
  const isDotted = comma === 'decimal' && DOTTED.test(digits)
  const isGrouped = comma !== 'decimal' && /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits)
  const known = isDotted ? bare.replaceAll('.', '') : isGrouped ? bare.replaceAll(',', '') : bare
  const isPlain = !(comma === 'decimal' && !isDotted && digits.includes('.'))
  const number = Number(comma === 'decimal' ? known.replace(',', '.') : known)
  return isPlain && digits !== '' && exponent !== '' && Number.isFinite(number) ? number : null
}

/** Whether a word is a number, with a sign before it and letters of a unit after it. */
export function isNumberWord(word: string): boolean {
  return (
    word.length <= 60 &&
    /^(?:p?(?:k[di]|ic50)[=:])?[<>≤≥~=≈]*[\d.,]+(?:e[+-]?\d+)?[a-zµμ%]*$/iu.test(word)
  )
}
