/** The columns that pairs can be plotted by, and the points that two columns make. */
import {
  describeColumn,
  type ColumnWith,
  compoundProperties,
  type CompoundProperty,
  type DomainState,
  errorOfDifference,
  ligandEfficiency,
  lipophilicEfficiency,
  type RowProperty,
} from '@pkdex/contract'
import {
  domainStateAt,
  estimateAt,
  type GridDetails,
  pkdAt,
  selectivityAt,
  stepsOf,
  titleOf,
} from './screen-matrix.ts'

export type Column = {
  id: string
  label: string
  /** Null if the pair has no value. */
  valueAt: (place: number) => number | null
}

export type Points = {
  x: Float64Array
  y: Float64Array
  places: Uint32Array
  states: DomainState[]
}

/** `pKd on T` is the prediction of the pair's compound on T, so that two targets can be compared. */
export function columnsOf(details: GridDetails): Column[] {
  const { grid, measured } = details
  const count = grid.targets.length
  const values = valuesOf(details)
  const ownColumns = (Object.keys(values) as PlottedColumn[])
    .filter((id) => id !== 'measured_pk' || measured.size > 0)
    .map((id) => ({ id, label: describeColumn(id).label, valueAt: values[id] }))
  const targetColumns = grid.targets.map((_, column) => ({
    id: `target ${column}`,
    label: `pKd on ${titleOf(grid, column)}`,
    valueAt: (place: number) => pkdAt(grid, place - (place % count) + column),
  }))
  return [...ownColumns, ...targetColumns]
}

type PlottedColumn = RowProperty | ColumnWith<{ isAxis: true }>

/** Properties are those of the pair's compound, and efficiencies those of its best estimate, as in rows. */
function valuesOf(details: GridDetails): Record<PlottedColumn, Column['valueAt']> {
  const { grid, intervalWidths, compoundSimilarities, targetSimilarities, properties } = details
  const ifPredicted = (value: (place: number) => number) => (place: number) =>
    pkdAt(grid, place) === null ? null : value(place)
  const share = (bytes: Uint8Array) =>
    ifPredicted((place) => (bytes[place] ?? 0) / stepsOf.similarity)
  const propertyAt = (name: CompoundProperty) => (place: number) => {
    const row = Math.floor(place / grid.targets.length)
    const at = row * compoundProperties.length + compoundProperties.indexOf(name)
    const value = properties[at]
    return value === undefined || Number.isNaN(value) ? null : value
  }
  const efficiency = (name: CompoundProperty, of: (pk: number, value: number) => number | null) => {
    const valueAt = propertyAt(name)
    return (place: number) => {
      const [pk, value] = [pkdAt(grid, place), valueAt(place)]
      return pk === null || value === null ? null : of(pk, value)
    }
  }
  return {
    best_kd: (place) => pkdAt(grid, place),
    measured_pk: (place) => details.measured.get(place) ?? null,
    best_lower: ifPredicted((place) => (intervalWidths[place] ?? 0) / stepsOf.pkd),
    selectivity: (place) => selectivityAt(grid, place),
    compound_similarity: share(compoundSimilarities),
    target_similarity: share(targetSimilarities),
    ...(Object.fromEntries(compoundProperties.map((name) => [name, propertyAt(name)])) as Record<
      CompoundProperty,
      Column['valueAt']
    >),
    ligand_efficiency: efficiency('heavy_atoms', ligandEfficiency),
    lipophilic_efficiency: efficiency('log_p', lipophilicEfficiency),
  }
}

/**
 * Half the width of the band in which a difference between two targets is within error: the median
 * over all compounds. Null if no interval is known.
 */
export function bandOf(details: GridDetails, one: number, other: number): number | null {
  const count = details.grid.targets.length
  const errors: number[] = []
  for (let first = 0; first < details.grid.steps.length; first += count) {
    const [a, b] = [estimateAt(details, first + one), estimateAt(details, first + other)]
    if (a !== null && b !== null) errors.push(errorOfDifference(a, b))
  }
  return errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)] ?? null
}

/** If both columns depend only on the compound, each compound is one point. */
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
    states: found.map(({ place }) => domainStateAt(grid, place)),
  }
}
