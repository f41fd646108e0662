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

/** `isUsual`: whether commas are usual as decimal marks, because semicolons separate the columns. */
export function commaOf(cells: string[], isUsual = false): Comma {
  const numbers = cells.map((cell) => leadingNumber(cell))
  const senses = new Set(numbers.map(senseOf))
  if (numbers.some((one) => GROUPED.test(one))) return ofGrouped(numbers)
  if (senses.has('decimal')) {
    const isMixed =
      senses.has('point') && !numbers.some((one) => one.includes('.') && one.includes(','))
    return isMixed || senses.has('thousands') ? 'asked' : 'decimal'
  }
  const isOpen = senses.has('either') && isUsual
  return isOpen && !senses.has('thousands') && !senses.has('point') ? 'asked' : 'thousands'
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
  return word.length <= 60 && /^[<>≤≥~=≈]*[\d.,]+(?:e[+-]?\d+)?[a-zµμ%]*$/iu.test(word)
}
