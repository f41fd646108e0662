/** One measured figure beside the limit or the peer that it is judged by, both from the same run. */

export type Figure = {
  name: string
  /** What was measured, in `unit`. */
  measured: number
  unit: 'ms' | 's' | 'MB' | 'kB' | 'µs' | 'bytes' | 'pairs/s' | 'calls/s' | 'frames/s'
  against: { name: string; value: number }
  /** True where more is better. */
  isFloor?: boolean
  /** True where the value is aimed at: being past it is shown, and fails nothing. */
  isAim?: boolean
}

/** Median of the milliseconds that a call takes, after one call to warm up. */
export async function medianMs(rounds: number, call: (round: number) => unknown): Promise<number> {
  return (await quantilesMs(rounds, call)).p50
}

/** Of the milliseconds that a call takes, after one call to warm up. */
export async function quantilesMs(rounds: number, call: (round: number) => unknown) {
  await call(-1)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await call(round)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(rounds * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

/** Below 1 the figure is within its limit, or better than its peer. */
export function ratioOf({ measured, against, isFloor }: Figure): number {
  return isFloor ? against.value / measured : measured / against.value
}
