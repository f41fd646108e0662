/** Moments as administrators read and compare them: year first, in the reader's own time zone. */

export function formatDay(moment: string): string {
  const { year, month, day } = partsOf(moment)
  return `${year}-${month}-${day}`
}

export function formatMinute(moment: string): string {
  const { hour, minute } = partsOf(moment)
  return `${formatDay(moment)} ${hour}:${minute}`
}

/** `2026-11-20T12-04-31`: for names of files, where a colon is not allowed everywhere. */
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
