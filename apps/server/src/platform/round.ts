/** Rounds to this many decimals, as all numbers in answers are. */
export function round(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}
