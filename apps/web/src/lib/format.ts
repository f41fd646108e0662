/** Formats counts, sizes and times the same way on every page. */

/** `1 chain`, `2 chains`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${nounFor(count, one, many)}`
}

/** `1 user`, `1,204 users`: for counts that grow large. */
export function largeCountOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${nounFor(count, one, many)}`
}

/** The noun alone, for numbers shown separately. */
export function nounFor(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many
}

const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB']

/** Sizes in Bytes, KB, MB, GB or TB, in steps of 1024 with two decimals. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024))
  const power = Math.min(step, UNITS.length - 1)
  return `${(bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`
}

/** Times as administrators read and compare them: year first, in the reader's own time zone. */
export function formatDay(moment: string): string {
  const { year, month, day } = partsOf(moment)
  return `${year}-${month}-${day}`
}

export function formatMinute(moment: string): string {
  const { hour, minute } = partsOf(moment)
  return `${formatDay(moment)} ${hour}:${minute}`
}

/** `2026-11-20T12-04-31`: for file names, where some systems do not allow a colon. */
export function formatForFilename(moment: Date): string {
  const { hour, minute, second } = partsOf(moment)
  return `${formatDay(moment.toISOString())}T${hour}-${minute}-${second}`
}

function partsOf(moment: string | Date) {
  const at = new Date(moment)
  const pad = (number: number) => String(number).padStart(2, '0')
  return {
    year: at.getFullYear(),
    month: pad(at.getMonth() + 1),
    day: pad(at.getDate()),
    hour: pad(at.getHours()),
    minute: pad(at.getMinutes()),
    second: pad(at.getSeconds()),
  }
}

/** With a true minus sign; a dash without a value. */
export function formatNumber(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined) return '–'
  return value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, '−')
    .replace('-', '')
}

/** With a sign, and a true minus sign. */
export function formatChange(delta: number): string {
  const size = Math.abs(delta).toLocaleString('en')
  return delta < 0 ? `−${size}` : `+${size}`
}

/** The same with decimals; without a sign if all of them are 0. */
export function formatSigned(value: number, decimals: number): string {
  const size = Math.abs(value).toFixed(decimals)
  if (Number(size) === 0) return size
  return value < 0 ? `−${size}` : `+${size}`
}

/** For the beginning of a sentence or a line. */
export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
