/** One measured figure and the limit or peer it is compared with, both from the same run. */

export type Figure = {
  name: string
  /** Measured value, in `unit`. */
  measured: number
  unit: 'ms' | 's' | 'MB' | 'kB' | 'µs' | 'bytes' | 'pairs/s' | 'calls/s' | 'frames/s'
  against: { name: string; value: number }
  /** True if more is better. */
  isFloor?: boolean
  /** True if the limit is a goal: missing it is reported but does not fail. */
  isAim?: boolean
}

export function limited(
  name: string,
  measured: number,
  unit: Figure['unit'],
  limit: number,
): Figure {
  return { name, measured, unit, against: { name: 'limit', value: limit } }
}

/** Median duration of a call in milliseconds, after one warm-up call. */
export async function medianMs(rounds: number, call: (round: number) => unknown): Promise<number> {
  return (await quantilesMs(rounds, call)).p50
}

/** Durations of a call in milliseconds, after one warm-up call. */
export async function quantilesMs(
  rounds: number,
  call: (round: number) => unknown,
  before: () => unknown = () => undefined,
) {
  await call(-1)
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await before()
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
