/** Repeatable random numbers, and statistics for the reports on published series. */

/** Mulberry32: the same numbers on every machine. */
export function openRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffle<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

export function meanOf(values: (number | null)[]): number {
  const there = values.filter((value) => value !== null)
  return there.reduce((sum, value) => sum + value, 0) / there.length
}

export const RESAMPLES = 10_000

/** The mean of the differences, one per series, with a 90% interval from resampling the series. */
export function describeDifferences(differences: number[]): string {
  const random = openRandom(0)
  const means = Array.from({ length: RESAMPLES }, () =>
    meanOf(differences.map(() => differences[Math.floor(random() * differences.length)] ?? null)),
  ).toSorted((one, other) => one - other)
  const at = (share: number) => signed(means[Math.floor(share * RESAMPLES)] ?? 0)
  return `${signed(meanOf(differences))} [${at(0.05)}, ${at(0.95)}]`
}

export function percent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)}%`
}

export function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}
