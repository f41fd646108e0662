/** Axes of plots: their ends, and their ticks at round numbers. */

export type Axis = { title: string; from: number; to: number; step: number }

/** At most twelve ticks, at 1, 2 or 5 times a power of ten. */
export function axisOf(values: Iterable<number>, title = ''): Axis {
  let [from, to] = [Infinity, -Infinity]
  for (const value of values) {
    from = Math.min(from, value)
    to = Math.max(to, value)
  }
  if (from > to) return { title, from: 0, to: 1, step: 0.5 }
  const rough = (to - from || 1) / STEPS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const [first, last] = [Math.floor(from / step), Math.ceil(to / step)]
  // A single value is placed at the lower end.
  return { title, from: first * step, to: (last === first ? first + 1 : last) * step, step }
}

const STEPS = 6

/** Ticks from 0 upwards, in whole numbers. */
export function countAxisOf(highest: number, title: string): Axis {
  const axis = axisOf([0, Math.max(1, highest)], title)
  const step = Math.max(1, axis.step)
  return { ...axis, from: 0, to: Math.ceil(Math.max(1, highest) / step) * step, step }
}

/** Removes the rounding errors of binary fractions. */
export function ticksOf({ from, to, step }: Axis): number[] {
  const count = Math.round((to - from) / step)
  return Array.from({ length: count + 1 }, (_, at) =>
    Number((from + at * step).toPrecision(SIGNIFICANT)),
  )
}

const SIGNIFICANT = 10

/** With a true minus sign. */
export function wordTick(tick: number): string {
  return tick.toLocaleString('en', { maximumFractionDigits: 6 }).replace('-', '−')
}
