/** Sizes in Bytes, KB, MB, GB or TB, in steps of 1024 with two decimals. */
const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB']

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024))
  const power = Math.min(step, UNITS.length - 1)
  return `${(bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`
}
