/** The columns that a pair can be plotted by, and the points that two of them make. */
import { titleOf } from './heat-map-drawing.ts'
import { type GridDetails, isInDomainAt, pkdAt, selectivityAt, stepsOf } from './screen-matrix.ts'

export type Column = {
  id: string
  label: string
  /** Null where a pair has none. */
  valueAt: (place: number) => number | null
}

export type Points = { x: Float64Array; y: Float64Array; places: Uint32Array; isInside: boolean[] }

/** `pKd on T` is that of the pair's compound on T, so that two targets can be held against each other. */
export function columnsOf(details: GridDetails): Column[] {
  const { grid, intervalWidths, compoundSimilarities, targetSimilarities } = details
  const ifPredicted = (value: (place: number) => number) => (place: number) =>
    pkdAt(grid, place) === null ? null : value(place)
  const share = (bytes: Uint8Array) =>
    ifPredicted((place) => (100 * (bytes[place] ?? 0)) / stepsOf.similarity)
  const count = grid.targets.length
  const pairColumns: Column[] = [
    { id: 'pkd', label: 'pKd', valueAt: (place) => pkdAt(grid, place) },
    {
      id: 'interval',
      label: 'Width of the interval, pKd',
      valueAt: ifPredicted((place) => (intervalWidths[place] ?? 0) / stepsOf.pkd),
    },
    {
      id: 'selectivity',
      label: 'Selectivity, pKd',
      valueAt: (place) => selectivityAt(grid, place),
    },
    {
      id: 'compound',
      label: 'Nearest training compound, %',
      valueAt: share(compoundSimilarities),
    },
    { id: 'target', label: 'Nearest training target, %', valueAt: share(targetSimilarities) },
  ]
  const targetColumns = grid.targets.map((_, column) => ({
    id: `target ${column}`,
    label: `pKd on ${titleOf(grid, column)}`,
    valueAt: (place: number) => pkdAt(grid, place - (place % count) + column),
  }))
  return [...pairColumns, ...targetColumns]
}

/** Where both columns belong to the compound, each compound is one point. */
export function pointsOf({ grid }: GridDetails, one: Column, other: Column): Points {
  const isByCompound = [one, other].every(({ id }) => id.startsWith('target '))
  const step = isByCompound ? grid.targets.length : 1
  const found: { x: number; y: number; place: number }[] = []
  for (let place = 0; place < grid.steps.length; place += step) {
    const [x, y] = [one.valueAt(place), other.valueAt(place)]
    if (x !== null && y !== null) found.push({ x, y, place })
  }
  return {
    x: Float64Array.from(found, (point) => point.x),
    y: Float64Array.from(found, (point) => point.y),
    places: Uint32Array.from(found, (point) => point.place),
    isInside: found.map(({ place }) => isInDomainAt(grid, place)),
  }
}

/** The ends of an axis, on whole steps, so that the ticks are round numbers. */
export function axisOf(values: Float64Array): { from: number; to: number; step: number } {
  let [from, to] = [Infinity, -Infinity]
  for (const value of values) {
    from = Math.min(from, value)
    to = Math.max(to, value)
  }
  if (from > to) return { from: 0, to: 1, step: 0.5 }
  const rough = (to - from || 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const [first, last] = [Math.floor(from / step), Math.ceil(to / step)]
  // One value alone stands at the lower end.
  return { from: first * step, to: (last === first ? first + 1 : last) * step, step }
}
