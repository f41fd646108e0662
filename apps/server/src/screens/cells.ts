/**
 * What is kept of a predicted pair: a cell of nine bytes, which holds what tables and maps show. The cells
 * of a block stand compound by compound, each with all targets.
 */
import { matrixFlags } from '@pkdex/contract'
import { GRID_COLUMNS, gridColumns } from '#server/inference/service.ts'

export const CELL_BYTES = 9

/** In thousandths of a pKd: the number, and how far the interval reaches below and above it. */
const PREDICTED = 0
const BELOW = 2
const ABOVE = 4
const FLAGS = 6
/** In 255ths. */
const COMPOUND_SIMILARITY = 7
const TARGET_SIMILARITY = 8

const STEPS_PER_PKD = 1000
const STEPS_OF_SIMILARITY = 255

export type Cell = {
  predicted: number
  lower: number
  upper: number
  isInside: boolean
  isLigandDriven: boolean
  compoundSimilarity: number
  targetSimilarity: number
}

export function writeCell(cells: Buffer, place: number, cell: Cell): void {
  const at = place * CELL_BYTES
  cells.writeInt16LE(steps(cell.predicted), at + PREDICTED)
  cells.writeUInt16LE(steps(cell.predicted - cell.lower), at + BELOW)
  cells.writeUInt16LE(steps(cell.upper - cell.predicted), at + ABOVE)
  cells[at + FLAGS] =
    matrixFlags.hasNumber |
    (cell.isInside ? matrixFlags.isInDomain : 0) |
    (cell.isLigandDriven ? matrixFlags.isLigandDriven : 0)
  cells[at + COMPOUND_SIMILARITY] = Math.round(cell.compoundSimilarity * STEPS_OF_SIMILARITY)
  cells[at + TARGET_SIMILARITY] = Math.round(cell.targetSimilarity * STEPS_OF_SIMILARITY)
}

/** `columns`: a pair of a grid. */
export function writeColumns(cells: Buffer, place: number, columns: Float32Array): void {
  const value = (column: keyof typeof gridColumns) => columns[gridColumns[column]] ?? 0
  writeCell(cells, place, {
    predicted: value('predicted'),
    lower: value('lower'),
    upper: value('upper'),
    isInside: value('isInside') === 1,
    isLigandDriven: value('isLigandDriven') === 1,
    compoundSimilarity: value('compoundSimilarity'),
    targetSimilarity: value('targetSimilarity'),
  })
}

export function pairColumns(row: Float32Array, target: number): Float32Array {
  return row.subarray(target * GRID_COLUMNS, (target + 1) * GRID_COLUMNS)
}

/** The pair was tried and has no number. */
export function writeFailure(cells: Buffer, place: number): void {
  cells[place * CELL_BYTES + FLAGS] = matrixFlags.isFailed
}

export function readFlags(cells: Buffer, place: number): number {
  return cells[place * CELL_BYTES + FLAGS] ?? 0
}

export function hasNumber(cells: Buffer, place: number): boolean {
  return (readFlags(cells, place) & matrixFlags.hasNumber) !== 0
}

/** In pKd. */
export function readPredicted(cells: Buffer, place: number): number {
  return cells.readInt16LE(place * CELL_BYTES + PREDICTED) / STEPS_PER_PKD
}

/** Null where there is no number. */
export function readCell(cells: Buffer, place: number): Cell | null {
  if (!hasNumber(cells, place)) return null
  const at = place * CELL_BYTES
  const predicted = cells.readInt16LE(at + PREDICTED)
  const flags = readFlags(cells, place)
  return {
    predicted: predicted / STEPS_PER_PKD,
    lower: (predicted - cells.readUInt16LE(at + BELOW)) / STEPS_PER_PKD,
    upper: (predicted + cells.readUInt16LE(at + ABOVE)) / STEPS_PER_PKD,
    isInside: (flags & matrixFlags.isInDomain) !== 0,
    isLigandDriven: (flags & matrixFlags.isLigandDriven) !== 0,
    compoundSimilarity: readSimilarity(cells, at + COMPOUND_SIMILARITY),
    targetSimilarity: readSimilarity(cells, at + TARGET_SIMILARITY),
  }
}

export function copyCell(
  from: { cells: Buffer; place: number },
  to: { cells: Buffer; place: number },
): void {
  const start = from.place * CELL_BYTES
  from.cells.copy(to.cells, to.place * CELL_BYTES, start, start + CELL_BYTES)
}

function readSimilarity(cells: Buffer, at: number): number {
  return Math.round(((cells[at] ?? 0) / STEPS_OF_SIMILARITY) * 1000) / 1000
}

/** Within the range of two bytes: no affinity is outside it. */
function steps(pk: number): number {
  return Math.round(Math.min(Math.max(pk, -32), 32) * STEPS_PER_PKD)
}
