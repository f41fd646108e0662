/**
 * Adds predictions adjusted by the user's own measured values to the rows of a screen. They are computed when rows
 * are read, from the values of that moment (decision 041), and only for rows that are shown or written.
 */
import { setImmediate as giveWay } from 'node:timers/promises'
import type { ScreenRow, ScreenTarget } from '@pkdex/contract'
import { findTargets } from '#server/files/service.ts'
import type { Estimate } from '#server/inference/service.ts'
import { namesWithValues, type OwnValues } from '#server/measurements/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { STEPS_PER_PKD } from './pair-number.ts'
import { sequenceKey } from './pair-key.ts'
import { standardOf as findStandard, withStandard } from './standard-smiles.ts'
import { openShifts } from './structure-shifts.ts'

/** Returns the same rows in the same order; call it with a few hundred at a time. */
export type AddOwnNumbers = (rows: ScreenRow[]) => Promise<ScreenRow[]>

type Dependencies = { db: Database; ownValues: OwnValues }
type Compound = NonNullable<Awaited<ReturnType<OwnValues['readCompounds']>>[number]>
type OwnFit = NonNullable<Awaited<ReturnType<OwnValues['fit']>>>

type OwnTable = {
  userId: string
  id: string
  targets: ScreenTarget[]
  /** Model versions of its numbers. */
  versions: string[]
  hasPoses: boolean
}

/** Values are fitted once, however many rows are requested. */
export async function openOwnNumbers(
  { db, ownValues }: Dependencies,
  { userId, id, targets, ...table }: OwnTable,
): Promise<AddOwnNumbers> {
  const versions = [...new Set(table.versions)]
  const shiftsOf = table.hasPoses ? openShifts(db, id) : null
  const all = targets.map(({ name }) => name)
  const names = await namesWithValues(db, userId, all)
  if (names.length === 0) return async (rows) => rows
  const fits = await fitColumns({ db, ownValues }, { userId, id, names, versions, shiftsOf })
  if (fits.size === 0) return async (rows) => rows
  const standardOf = (row: ScreenRow) => findStandard(row) ?? ''
  return async (rows) => {
    const numbers = rows.filter((row) => row.predicted_kd !== null && fits.has(columnOf(row)))
    const smiles = [...new Set(numbers.map(standardOf))]
    const compounds = await ownValues.readCompounds(userId, smiles)
    const compoundOf = new Map(smiles.map((one, at) => [one, compounds[at] ?? null]))
    const own = new Map<ScreenRow, ScreenRow>()
    for (const [column, some] of Map.groupBy(numbers, columnOf)) {
      const known = some.flatMap((row) => toEstimate(row, compoundOf.get(standardOf(row)) ?? null))
      for (const [row, updated] of updateRows(known, fits.get(column))) own.set(row, updated)
      await giveWay()
    }
    return rows.map((row) => own.get(row) ?? row)
  }
}

type OfColumn = Pick<ScreenRow, 'target' | 'chain' | 'model_version'>

/** Values only adjust predictions of the model that they were compared with. */
function columnOf({ target, chain, model_version }: OfColumn): string {
  return JSON.stringify([target, chain, model_version])
}

type OfScreen = {
  userId: string
  id: string
  /** Of targets. */
  names: string[]
  versions: string[]
  /** Null where the screen has no structure-adjusted predictions. */
  shiftsOf: ReturnType<typeof openShifts> | null
}

/** The columns whose target has measured values, if the target still has this name and the same residues. */
async function fitColumns(
  { db, ownValues }: Dependencies,
  { userId, id, names, versions, shiftsOf }: OfScreen,
): Promise<Map<string, OwnFit>> {
  const columns = await db
    .selectFrom('order_targets')
    .select(['name', 'chain', 'key'])
    .where('order_id', '=', id)
    .orderBy('place')
    .execute()
  const targets = new Map((await findTargets(db, userId, names)).map((one) => [one.name, one]))
  const fits = new Map<string, OwnFit>()
  for (const [column, { name, chain, key }] of columns.entries()) {
    const target = targets.get(name)
    if (target === undefined || !sequenceKey(target.segments[chain] ?? []).equals(key)) continue
    for (const modelVersion of versions) {
      const of = { userId, targetId: target.id, chain, modelVersion }
      const fit = await ownValues.fit(of, shiftsOf?.(column))
      if (fit === null) continue
      fits.set(columnOf({ target: name, chain, model_version: modelVersion }), fit)
    }
  }
  return fits
}

type KnownRow = Estimate & { row: ScreenRow; isAdjusted: boolean }

/**
 * Empty if the row has no prediction, or its molecule no fingerprint. A row with a pose starts from the
 * structure-adjusted prediction (decision 101).
 */
function toEstimate(row: ScreenRow, compound: Compound | null): KnownRow[] {
  const { predicted_kd: plain, lower, upper, structure_adjusted: adjusted } = row
  if (plain === null || lower === null || upper === null || compound === null) return []
  const start = { predicted: adjusted?.value ?? plain, isAdjusted: adjusted != null }
  return [{ row, ...start, halfWidth: (upper - lower) / 2, ...compound }]
}

function updateRows(known: KnownRow[], fit: OwnFit | undefined): [ScreenRow, ScreenRow][] {
  const updated = fit?.update(known) ?? []
  return known.flatMap(({ row, isAdjusted }, at): [ScreenRow, ScreenRow][] => {
    const own = updated[at]
    if (fit === undefined || own === undefined) return []
    const { predicted, halfWidth } = own
    const said = {
      own_values: fit.count,
      predicted_kd_with_own: round(predicted),
      lower_with_own: round(predicted - halfWidth),
      upper_with_own: round(predicted + halfWidth),
      ...(row.structure_adjusted !== undefined && { own_values_start: startOf(isAdjusted) }),
    }
    return [[row, withStandard({ ...row, ...said }, findStandard(row))]]
  })
}

function startOf(isAdjusted: boolean): ScreenRow['own_values_start'] {
  return isAdjusted ? 'structure_adjusted' : 'plain'
}

function round(pk: number): number {
  return Math.round(pk * STEPS_PER_PKD) / STEPS_PER_PKD
}
