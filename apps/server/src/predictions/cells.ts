/**
 * A predicted pair as stored: fifteen bytes with the fields that tables and maps show. The cells of a block are ordered
 * by compound, each with all targets.
 */
import { type DomainState, matrixFlags, type PredictionResult } from '@pkdex/contract'
import { domainStateIn, GRID_COLUMNS, gridColumns } from '#server/inference/service.ts'

export const CELL_BYTES = 15

/** In millionths of a pKd: the prediction and both ends of its interval. */
const PREDICTED = 0
const LOWER = 4
const UPPER = 8
const FLAGS = 12
/** In units of 1/255. */
const COMPOUND_SIMILARITY = 13
const TARGET_SIMILARITY = 14

export const STEPS_PER_PKD = 1_000_000
const STEPS_OF_SIMILARITY = 255

export type Cell = {
  predicted: number
  lower: number
  upper: number
  /** Null: inside the domain, predicted before three states were distinguished. */
  domainState: DomainState | null
  isLigandDriven: boolean
  compoundSimilarity: number
  targetSimilarity: number
}

export function writeCell(cells: Buffer, place: number, cell: Cell): void {
  const at = place * CELL_BYTES
  cells.writeInt32LE(steps(cell.predicted), at + PREDICTED)
  cells.writeInt32LE(steps(cell.lower), at + LOWER)
  cells.writeInt32LE(steps(cell.upper), at + UPPER)
  cells[at + FLAGS] =
    matrixFlags.hasNumber |
    flagsOfState(cell.domainState) |
    (cell.isLigandDriven ? matrixFlags.isLigandDriven : 0)
  cells[at + COMPOUND_SIMILARITY] = Math.round(cell.compoundSimilarity * STEPS_OF_SIMILARITY)
  cells[at + TARGET_SIMILARITY] = Math.round(cell.targetSimilarity * STEPS_OF_SIMILARITY)
}

/** `columns`: the values of one pair in a grid. */
export function writeColumns(cells: Buffer, place: number, columns: Float32Array): void {
  const value = (column: keyof typeof gridColumns) => columns[gridColumns[column]] ?? 0
  writeCell(cells, place, {
    predicted: value('predicted'),
    lower: value('lower'),
    upper: value('upper'),
    domainState: domainStateIn(columns),
    isLigandDriven: value('isLigandDriven') === 1,
    compoundSimilarity: value('compoundSimilarity'),
    targetSimilarity: value('targetSimilarity'),
  })
}

export function pairColumns(row: Float32Array, target: number): Float32Array {
  return row.subarray(target * GRID_COLUMNS, (target + 1) * GRID_COLUMNS)
}

/** Marks a pair that was tried and has no prediction. */
export function writeFailure(cells: Buffer, place: number): void {
  cells[place * CELL_BYTES + FLAGS] = matrixFlags.isFailed
}

export function readFlags(cells: Buffer, place: number): number {
  return cells[place * CELL_BYTES + FLAGS] ?? 0
}

export function hasNumber(cells: Buffer, place: number): boolean {
  return (readFlags(cells, place) & matrixFlags.hasNumber) !== 0
}

/** The predicted pKd. */
export function readPredicted(cells: Buffer, place: number): number {
  return cells.readInt32LE(place * CELL_BYTES + PREDICTED) / STEPS_PER_PKD
}

/** Null without a prediction. */
export function readCell(cells: Buffer, place: number): Cell | null {
  if (!hasNumber(cells, place)) return null
  const at = place * CELL_BYTES
  const flags = readFlags(cells, place)
  return {
    predicted: readPredicted(cells, place),
    lower: cells.readInt32LE(at + LOWER) / STEPS_PER_PKD,
    upper: cells.readInt32LE(at + UPPER) / STEPS_PER_PKD,
    domainState: stateOfFlags(flags),
    isLigandDriven: (flags & matrixFlags.isLigandDriven) !== 0,
    compoundSimilarity: readSimilarity(cells, at + COMPOUND_SIMILARITY),
    targetSimilarity: readSimilarity(cells, at + TARGET_SIMILARITY),
  }
}

function flagsOfState(state: DomainState | null): number {
  const { isInDomain, isKnownOnTarget, isKnownElsewhere } = matrixFlags
  if (state === null) return isInDomain
  if (state === 'known_on_target') return isInDomain | isKnownOnTarget
  return state === 'known_on_other_targets' ? isKnownElsewhere : 0
}

/** Null: inside the domain, predicted before three states were distinguished. */
export function stateOfFlags(flags: number): DomainState | null {
  if ((flags & matrixFlags.isKnownOnTarget) !== 0) return 'known_on_target'
  if ((flags & matrixFlags.isKnownElsewhere) !== 0) return 'known_on_other_targets'
  return (flags & matrixFlags.isInDomain) === 0 ? 'outside' : null
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

export function cellOf(result: PredictionResult): Cell {
  return {
    predicted: result.predicted_kd,
    lower: result.interval.lower,
    upper: result.interval.upper,
    domainState: result.domain.state ?? (result.domain.is_inside ? null : 'outside'),
    isLigandDriven: result.domain.is_ligand_driven,
    compoundSimilarity: result.nearest_compound.similarity,
    targetSimilarity: result.nearest_targets[0]?.similarity ?? 0,
  }
}

/** The result with prediction and interval taken from the cell, so that both are rounded the same everywhere. */
export function withNumberOf(cell: Cell, result: PredictionResult): PredictionResult {
  const { predicted, lower, upper } = cell
  const interval = { ...result.interval, lower, upper }
  return { ...result, predicted_kd: predicted, interval }
}

/** No real affinity is outside ±100, and this range fits 32 bits. */
function steps(pk: number): number {
  return Math.round(Math.min(Math.max(pk, -100), 100) * STEPS_PER_PKD)
}
