/**
 * What rows of a screen show besides predictions: properties and alerts of the compound, the user's measured value, and
 * the efficiencies of the best estimate. Compounds are looked up when rows are shown, sorted or filtered by them.
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
import type { InputRow } from './plan.ts'
import type { ScreenPair, ScreenTable } from './screen-table.ts'
import { round } from '#server/platform/round.ts'

export type FillDetails = {
  /** Call before rows are shown. */
  show(pairs: Pick<ScreenPair, 'input'>[]): Promise<void>
  /** Call before rows are sorted or filtered by details, which needs those of every compound. */
  all(rows: InputRow[], gone: AbortSignal): Promise<void>
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
  const fill = async (rows: InputRow[], gone?: AbortSignal) => {
    const wanted = rows.flatMap(({ standard }) => standard ?? [])
    const unknown = wanted.filter((smiles) => !details.facts.has(smiles))
    if (unknown.length === 0) return
    const read = await readFacts(userId, unknown, { gone })
    for (const [smiles, facts] of read) details.facts.set(smiles, facts)
  }
  return {
    show: (pairs) => fill(pairs.map(({ input }) => input)).catch(withoutWhenBusy),
    all: fill,
  }
}

/** Predictions are paid for, so they are shown without details if too many of the user's files are in progress. */
function withoutWhenBusy(error: unknown): void {
  if (error instanceof AppError && error.code === 'too_many_requests') return
  throw error
}

type Details = Pick<ScreenRow, RowProperty | 'measured_pk' | 'alerts'>

/** What properties and measured values are looked up by: the compound, the target and the pair's best estimate. */
export type DetailedPair = Pick<ScreenPair, 'place'> & {
  input: Pick<InputRow, 'standard'>
  best: { predicted: number } | null
}

export function detailsOf(table: ScreenTable, pair: DetailedPair): Details {
  const facts = factsOf(table, pair)
  const properties = Object.fromEntries(
    compoundProperties.map((name) => [name, facts?.properties[name] ?? null]),
  ) as Record<CompoundProperty, number | null>
  return {
    ...properties,
    measured_pk: rounded(measuredOf(table, pair)),
    ligand_efficiency: rounded(propertyOf(table, pair, 'ligand_efficiency')),
    lipophilic_efficiency: rounded(propertyOf(table, pair, 'lipophilic_efficiency')),
    alerts: facts?.alerts ?? null,
  }
}

/** Null if the compound cannot be read or the pair has no value. */
export function propertyOf(
  table: ScreenTable,
  pair: DetailedPair,
  name: RowProperty,
): number | null {
  const properties = factsOf(table, pair)?.properties
  if (properties === undefined) return null
  if (name !== 'ligand_efficiency' && name !== 'lipophilic_efficiency') return properties[name]
  if (pair.best === null) return null
  const { predicted } = pair.best
  return name === 'ligand_efficiency'
    ? ligandEfficiency(predicted, properties.heavy_atoms)
    : lipophilicEfficiency(predicted, properties.log_p)
}

export function factsOf(
  { details }: ScreenTable,
  { input: { standard } }: Pick<DetailedPair, 'input'>,
): CompoundFacts | null {
  return (standard && details?.facts.get(standard)) || null
}

export function measuredOf(
  { targets, details }: ScreenTable,
  { place, input: { standard } }: Pick<DetailedPair, 'input' | 'place'>,
): number | null {
  return (standard && details?.measured[place % targets.length]?.get(standard)) || null
}

function rounded(value: number | null): number | null {
  return value === null ? null : round(value, 6)
}
