/**
 * Finds the points near a place in constant time, whatever the file holds: a cell keeps a limited number
 * of points, more than real molecules put there, so that a heap of atoms in one spot costs no more.
 */
import type { Vector } from './vector.ts'

export type SpatialGrid = { cellSize: number; cells: Map<number, number[]> }

/** Cell numbers wrap around at this size: far cells may share a list, so callers check distances. */
const CELLS_PER_AXIS = 2 ** 17

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
