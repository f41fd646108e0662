/**
 * What rows of a screen show besides predictions: properties and alerts of the compound, the user's measured value, and
 * the efficiencies computed from these. Compounds are looked up when rows are shown, sorted or filtered by them.
 */
import {
  compoundProperties,
  type CompoundProperty,
  ligandEfficiency,
  lipophilicEfficiency,
  type RowProperty,
  type ScreenRow,
} from '@pkdex/contract'
import type { CompoundFacts, ReadFacts } from '#server/files/service.ts'
import { readExactValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { hasNumber, readPredicted } from './cells.ts'
import type { InputRow } from './plan.ts'
import type { ScreenTable } from './screen-table.ts'
import { structureKey } from './structure-numbers.ts'

export type FillDetails = {
  /** Call before rows are shown. */
  show(rows: (InputRow | undefined)[]): Promise<void>
  /** Call before rows are sorted or filtered by details, which needs those of every compound. */
  all(gone: AbortSignal): Promise<void>
}

type Dependencies = { db: Database; readFacts: ReadFacts }

export async function openDetails(
  { db, readFacts }: Dependencies,
  userId: string,
  table: ScreenTable,
): Promise<FillDetails> {
  const targets = table.targets.map(({ name }) => name)
  const measured = await readExactValues(db, userId, targets)
  const details = { facts: new Map<string, CompoundFacts>(), measured }
  table.details = details
  const fill = async (rows: (InputRow | undefined)[], gone?: AbortSignal) => {
    const wanted = rows.flatMap((row) => row?.standard ?? [])
    const unknown = wanted.filter((smiles) => !details.facts.has(smiles))
    if (unknown.length === 0) return
    const read = await readFacts(userId, unknown, { gone })
    for (const [smiles, facts] of read) details.facts.set(smiles, facts)
  }
  return {
    show: (rows) => fill(rows).catch(withoutWhenBusy),
    all: (gone) => fill(table.rows, gone),
  }
}

/** Predictions are paid for, so they are shown without details if too many of the user's files are in progress. */
function withoutWhenBusy(error: unknown): void {
  if (error instanceof AppError && error.code === 'too_many_requests') return
  throw error
}

type Details = Pick<ScreenRow, RowProperty | 'measured_pk' | 'alerts'>

export function detailsOf(table: ScreenTable, place: number): Details {
  const facts = factsAt(table, place)
  const properties = Object.fromEntries(
    compoundProperties.map((name) => [name, facts?.properties[name] ?? null]),
  ) as Record<CompoundProperty, number | null>
  return {
    ...properties,
    measured_pk: rounded(measuredAt(table, place)),
    ligand_efficiency: rounded(propertyAt(table, place, 'ligand_efficiency')),
    lipophilic_efficiency: rounded(propertyAt(table, place, 'lipophilic_efficiency')),
    alerts: facts?.alerts ?? null,
  }
}

/** Null if the compound cannot be read or the pair has no value. */
export function propertyAt(table: ScreenTable, place: number, name: RowProperty): number | null {
  const properties = factsAt(table, place)?.properties
  if (properties === undefined) return null
  if (name !== 'ligand_efficiency' && name !== 'lipophilic_efficiency') return properties[name]
  const pk = measuredAt(table, place) ?? predictedAt(table, place)
  if (pk === null) return null
  return name === 'ligand_efficiency'
    ? ligandEfficiency(pk, properties.heavy_atoms)
    : lipophilicEfficiency(pk, properties.log_p)
}

export function factsAt(
  { rows, targets, details }: ScreenTable,
  place: number,
): CompoundFacts | null {
  const standard = rows[Math.floor(place / targets.length)]?.standard
  return (standard && details?.facts.get(standard)) || null
}

export function measuredAt({ rows, targets, details }: ScreenTable, place: number): number | null {
  const standard = rows[Math.floor(place / targets.length)]?.standard
  return (standard && details?.measured[place % targets.length]?.get(standard)) || null
}

/** The value that the table is asked for: the prediction, or what the pose makes of it. */
export function predictedAt(table: ScreenTable, place: number): number | null {
  const { cells, isAdjusted = false } = table
  if (!hasNumber(cells, place)) return null
  const predicted = readPredicted(cells, place)
  return isAdjusted ? structureKey(table, place, predicted) : predicted
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6
}
