/**
 * Points (in Å) and directions in three dimensions, and a grid that finds nearby points. No function changes its
 * arguments.
 */

export type Vector = readonly [number, number, number]

export function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function times(a: Vector, factor: number): Vector {
  return [a[0] * factor, a[1] * factor, a[2] * factor]
}

/** `a` if `share` is 0, `b` if it is 1. */
export function mix(a: Vector, b: Vector, share: number): Vector {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function distance(a: Vector, b: Vector): number {
  return Math.sqrt(squaredDistance(a, b))
}

export function squaredDistance(a: Vector, b: Vector): number {
  const x = a[0] - b[0]
  const y = a[1] - b[1]
  const z = a[2] - b[2]
  return x * x + y * y + z * z
}

/** The direction of `a` with length 1; null if `a` is too short to have one. */
export function direction(a: Vector): Vector | null {
  const length = Math.sqrt(dot(a, a))
  return length > 1e-6 ? times(a, 1 / length) : null
}

/** The unit vector at right angles to the unit vector `axis` that is closest to `preferred`. */
export function perpendicular(axis: Vector, preferred: Vector): Vector {
  return direction(minus(preferred, times(axis, dot(preferred, axis)))) ?? anyPerpendicular(axis)
}

function anyPerpendicular(axis: Vector): Vector {
  const helper: Vector = Math.abs(axis[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]
  return direction(cross(axis, helper)) ?? [0, 0, 1]
}

// The grid finds nearby points in constant time for any file: a cell keeps a limited number of points, more than real
// molecules have, so that coinciding atoms cost no more.

export type SpatialGrid = { cellSize: number; cells: Map<number, number[]> }

/** Cell numbers wrap around at this size: far cells may share a list, so callers check distances. */
const CELLS_PER_AXIS = 2 ** 17

/** `cellSize` in Å; null points are skipped, and so are those beyond `perCellMax` in one cell. */
export function buildSpatialGrid(
  points: readonly (Vector | null)[],
  { cellSize, perCellMax }: { cellSize: number; perCellMax: number },
): SpatialGrid {
  const grid: SpatialGrid = { cellSize, cells: new Map() }
  for (const [index, point] of points.entries()) {
    if (point === null) continue
    const key = cellKey(grid, point, [0, 0, 0])
    const cell = grid.cells.get(key)
    if (cell === undefined) grid.cells.set(key, [index])
    else if (cell.length < perCellMax) cell.push(index)
  }
  return grid
}

/** Calls `visit` with every point in the 27 cells around `place`: all within one cell size, and some more. */
export function visitNear(grid: SpatialGrid, place: Vector, visit: (index: number) => void): void {
  for (let x = -1; x <= 1; x++) {
    for (let y = -1; y <= 1; y++) {
      for (let z = -1; z <= 1; z++) grid.cells.get(cellKey(grid, place, [x, y, z]))?.forEach(visit)
    }
  }
}

function cellKey(grid: SpatialGrid, place: Vector, step: Vector): number {
  const x = cellNumber(place[0], grid.cellSize) + step[0]
  const y = cellNumber(place[1], grid.cellSize) + step[1]
  const z = cellNumber(place[2], grid.cellSize) + step[2]
  return (wrap(x) * CELLS_PER_AXIS + wrap(y)) * CELLS_PER_AXIS + wrap(z)
}

function cellNumber(coordinate: number, cellSize: number): number {
  return Math.floor(coordinate / cellSize)
}

function wrap(cell: number): number {
  const rest = cell % CELLS_PER_AXIS
  return rest < 0 ? rest + CELLS_PER_AXIS : rest
}
