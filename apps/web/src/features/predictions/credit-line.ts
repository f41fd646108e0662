/** What became of the credit, in one line; empty where the server did not say. */
import type { Reading } from './reading.ts'

export function creditLine(reading: Reading): string {
  if (reading.status === 'none') return ''
  const { cost, returned } = reading
  if (returned > 0) return `${countCredits(returned)} returned`
  if (cost === null) return ''
  return cost === 0 ? 'No credit taken' : `${countCredits(cost)} taken`
}

export function countCredits(count: number): string {
  return `${count} ${count === 1 ? 'credit' : 'credits'}`
}
