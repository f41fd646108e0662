/** One measured figure beside the limit or the peer that it is judged by, both from the same run. */

export type Figure = {
  name: string
  /** What was measured, in `unit`. */
  measured: number
  unit: 'ms' | 's' | 'MB' | 'kB' | 'µs' | 'bytes' | 'pairs/s' | 'frames/s'
  against: { name: string; value: number }
  /** True where more is better. */
  isFloor?: boolean
}

/** Median of the milliseconds that a call takes, after one call to warm up. */
export async function medianMs(rounds: number, call: (round: number) => unknown): Promise<number> {
  await call(-1)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await call(round)
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
}

/** Below 1 the figure is within its limit, or better than its peer. */
export function ratioOf({ measured, against, isFloor }: Figure): number {
  return isFloor ? against.value / measured : measured / against.value
}
