/** The columns that pairs can be plotted by, and the points that two columns make. */
import { type DomainState, errorOfDifference } from '@pkdex/contract'
import {
  compoundProperties,
  type CompoundProperty,
  ligandEfficiency,
  lipophilicEfficiency,
  pairEfficiencies,
  propertyLabels,
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
  const { grid, intervalWidths, compoundSimilarities, targetSimilarities } = details
  const ifPredicted = (value: (place: number) => number) => (place: number) =>
    pkdAt(grid, place) === null ? null : value(place)
  const share = (bytes: Uint8Array) =>
    ifPredicted((place) => (100 * (bytes[place] ?? 0)) / stepsOf.similarity)
  const count = grid.targets.length
  const pairColumns: Column[] = [
    { id: 'pkd', label: 'Predicted pKd', valueAt: (place) => pkdAt(grid, place) },
    ...(details.measured.size > 0 ? [measuredColumn(details)] : []),
    {
      id: 'interval',
      label: 'Interval width, pKd',
      valueAt: ifPredicted((place) => (intervalWidths[place] ?? 0) / stepsOf.pkd),
    },
    {
      id: 'selectivity',
      label: 'Selectivity (ΔpKd)',
      valueAt: (place) => selectivityAt(grid, place),
    },
    {
      id: 'compound',
      label: 'Closest compound, %',
      valueAt: share(compoundSimilarities),
    },
    { id: 'target', label: 'Closest target, %', valueAt: share(targetSimilarities) },
  ]
  const targetColumns = grid.targets.map((_, column) => ({
    id: `target ${column}`,
    label: `pKd on ${titleOf(grid, column)}`,
    valueAt: (place: number) => pkdAt(grid, place - (place % count) + column),
  }))
  return [...pairColumns, ...propertyColumnsOf(details), ...targetColumns]
}

function measuredColumn({ measured }: GridDetails): Column {
  return { id: 'measured', label: 'Measured pK', valueAt: (place) => measured.get(place) ?? null }
}

/** Properties of the pair's compound, and its efficiencies, as in rows. */
function propertyColumnsOf({ grid, properties }: GridDetails): Column[] {
  const width = compoundProperties.length
  const valueOf = (place: number, name: CompoundProperty): number | null => {
    const row = Math.floor(place / grid.targets.length)
    const value = properties[row * width + compoundProperties.indexOf(name)]
    return value === undefined || Number.isNaN(value) ? null : value
  }
  const efficiency = (place: number, name: 'ligand_efficiency' | 'lipophilic_efficiency') => {
    const pk = pkdAt(grid, place)
    const [atoms, logP] = [valueOf(place, 'heavy_atoms'), valueOf(place, 'log_p')]
    if (pk === null || atoms === null || logP === null) return null
    return name === 'ligand_efficiency'
      ? ligandEfficiency(pk, atoms)
      : lipophilicEfficiency(pk, logP)
  }
  return [
    ...compoundProperties.map((name) => ({
      id: name,
      label: propertyLabels[name].long,
      valueAt: (place: number) => valueOf(place, name),
    })),
    ...pairEfficiencies.map((name) => ({
      id: name,
      label: propertyLabels[name].long,
      valueAt: (place: number) => efficiency(place, name),
    })),
  ]
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
