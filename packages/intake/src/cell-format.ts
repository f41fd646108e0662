/** Numbers of a workbook as Excel shows them, where the format says more than the digits: dates, units, relations, percent. */

/** `factor`: by which the shown number is multiplied. */
export type CellFormat = { isDate: boolean; before: string; after: string; factor: number }

const plain: CellFormat = { isDate: false, before: '', after: '', factor: 1 }

/** By its number in Excel, or its own code: `0.0" µM"`, `"<"0`, `0%`. */
export function readFormat(id: number, code?: string): CellFormat {
  if (code === undefined) {
    if (id === 9 || id === 10) return { ...plain, after: '%', factor: 100 }
    return { ...plain, isDate: (id >= 14 && id <= 22) || (id >= 45 && id <= 47) }
  }
  const marks = code.replaceAll(/"[^"]{0,80}"|\[[^\]]{0,40}\]|\\./g, '')
  if (/[dy]|m{2}/i.test(marks)) return { ...plain, isDate: true }
  return ofNumber(code)
}

/** The part for positive numbers: texts before and after its digits. */
function ofNumber(code: string): CellFormat {
  const [first = ''] = /^(?:"[^"]*"|\\.|[^;"\\])*/.exec(code) ?? []
  const shown = first.replaceAll(/\[[^\]]{0,40}\]|[_*]./g, '')
  const digits = /[0#?][0#?,.]*(?:E[+-]?0+)?/i.exec(shown.replaceAll(/"[^"]*"|\\./g, mask))
  if (digits === null) return plain
  const end = digits.index + digits[0].length
  const [before, after] = [literal(shown.slice(0, digits.index)), literal(shown.slice(end))]
  const thousands = /[^,](,*)$/.exec(digits[0])?.[1]?.length ?? 0
  if (!/[\p{L}%<>≤≥~]/u.test(before + after)) return plain
  const factor = (after.includes('%') ? 100 : 1) / 1000 ** thousands
  return { isDate: false, before, after, factor }
}

/** Of the same length, without digits. */
const mask = (text: string) => 'x'.repeat(text.length)

function literal(text: string): string {
  return text.replaceAll(/"([^"]*)"|\\(.)/g, '$1$2').replaceAll(/General|Standard/gi, '')
}

export function showNumber(
  text: string,
  { isDate, before, after, factor }: CellFormat = plain,
  startsIn1904 = false,
): string {
  if (isDate) return dateOf(Number(text), startsIn1904)
  if (before === '' && after === '') return shortNumber(text)
  return `${before}${shortNumber(factor === 1 ? text : String(Number(text) * factor))}${after}`.trim()
}

/** The day as ISO 8601, with the time if there is one. Excel counts days from the end of 1899. */
function dateOf(days: number, startsIn1904: boolean): string {
  const start = Date.UTC(startsIn1904 ? 1904 : 1899, startsIn1904 ? 0 : 11, startsIn1904 ? 1 : 30)
  const date = new Date(start + Math.round(days * 86_400) * 1000)
  if (Number.isNaN(date.getTime())) return String(days)
  const text = date.toISOString()
  if (days < 1) return text.slice(11, 19)
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}

/** With the 15 digits that Excel shows: 0.30000000000000004 is 0.3. */
function shortNumber(text: string): string {
  const number = Number(text)
  if (text.length < 16 || !Number.isFinite(number)) return text
  return String(Number(number.toPrecision(15)))
}
