/** The number of a predicted pair: what tables and maps show of it, and how the database stores it. */
import type { DomainState, PredictionResult } from '@pkdex/contract'
import { domainStateIn, GRID_COLUMNS, gridColumns } from '#server/inference/service.ts'
import type { Tables } from '#server/platform/db/schema.ts'
import { round } from '#server/platform/round.ts'

export const STEPS_PER_PKD = 1_000_000
export const STEPS_OF_SIMILARITY = 255

export type PairNumber = {
  predicted: number
  lower: number
  upper: number
  /** Null: inside the domain, predicted before three states were distinguished. */
  domainState: DomainState | null
  isLigandDriven: boolean
  compoundSimilarity: number
  targetSimilarity: number
}

export const numberColumns = [
  'predicted',
  'lower',
  'upper',
  'domain_state',
  'is_ligand_driven',
  'compound_similarity',
  'target_similarity',
] as const satisfies (keyof Tables['pairs'])[]

export type StoredNumber = Pick<Tables['pairs'], (typeof numberColumns)[number]>

export function toStored(number: PairNumber): StoredNumber {
  return {
    predicted: toSteps(number.predicted),
    lower: toSteps(number.lower),
    upper: toSteps(number.upper),
    domain_state: number.domainState ?? 'inside',
    is_ligand_driven: number.isLigandDriven,
    compound_similarity: Math.round(number.compoundSimilarity * STEPS_OF_SIMILARITY),
    target_similarity: Math.round(number.targetSimilarity * STEPS_OF_SIMILARITY),
  }
}

export function fromStored(stored: StoredNumber): PairNumber {
  return {
    predicted: stored.predicted / STEPS_PER_PKD,
    lower: stored.lower / STEPS_PER_PKD,
    upper: stored.upper / STEPS_PER_PKD,
    domainState: stored.domain_state === 'inside' ? null : stored.domain_state,
    isLigandDriven: stored.is_ligand_driven,
    compoundSimilarity: toSimilarity(stored.compound_similarity),
    targetSimilarity: toSimilarity(stored.target_similarity),
  }
}

/** `row`: the predicted grid of one compound, of which `target` is the index. */
export function numberInGrid(row: Float32Array, target: number): PairNumber {
  const columns = row.subarray(target * GRID_COLUMNS, (target + 1) * GRID_COLUMNS)
  const value = (column: keyof typeof gridColumns) => columns[gridColumns[column]] ?? 0
  return {
    predicted: value('predicted'),
    lower: value('lower'),
    upper: value('upper'),
    domainState: domainStateIn(columns),
    isLigandDriven: value('isLigandDriven') === 1,
    compoundSimilarity: value('compoundSimilarity'),
    targetSimilarity: value('targetSimilarity'),
  }
}

export function numberOf(result: PredictionResult): PairNumber {
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

/** The result with prediction and interval taken from the number, so that both are rounded the same everywhere. */
export function withNumberOf(number: PairNumber, result: PredictionResult): PredictionResult {
  const { predicted, lower, upper } = number
  const interval = { ...result.interval, lower, upper }
  return { ...result, predicted_kd: predicted, interval }
}

/** As many digits as are stored, so that a pair has the same digits everywhere. */
export function roundPk(pk: number): number {
  return Math.round(pk * STEPS_PER_PKD) / STEPS_PER_PKD
}

function toSimilarity(steps: number): number {
  return round(steps / STEPS_OF_SIMILARITY, 3)
}

/** No real affinity is outside ±100, and this range fits 32 bits. */
export function toSteps(pk: number): number {
  return Math.round(Math.min(Math.max(pk, -100), 100) * STEPS_PER_PKD)
}
