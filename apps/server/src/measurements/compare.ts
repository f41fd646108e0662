/** Compares predicted and measured values on one target: without own values, and leave-one-out. */
import { createHash } from 'node:crypto'
import type { ComparedMeasurement, MeasurementComparison } from '@pkdex/contract'
import { LRUCache } from 'lru-cache'
import {
  type Estimate,
  expectBounds,
  fitOtherScore,
  fitOwnValues,
  leaveOneOut,
  type OtherScore,
  type OwnValue,
  type OwnValuesSettings,
  type Scored,
  type Updated,
  type UpdateEstimates,
  updateByOwnValues,
} from '#server/inference/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { agreementOf, agreementOfMean, judge } from './agreement.ts'
import { combineReplicates, type MeasuredCompound } from './combine.ts'
import type { MeasurementDependencies } from './import.ts'
import { readOwnRows } from './read-described.ts'
import { toOwnValue } from './own-values.ts'
import { countUnpredicted, type Predicted, type PredictedOf, readUseOfOwnValues } from './store.ts'
import { expectTarget } from '#server/files/service.ts'

export async function compareMeasurements(
  dependencies: Pick<
    MeasurementDependencies,
    'db' | 'parsingWorkers' | 'modelVersion' | 'ownValuesSettings' | 'findPredicted'
  >,
  userId: string,
  targetName: string,
): Promise<MeasurementComparison> {
  const { db, modelVersion, ownValuesSettings } = dependencies
  const { id: targetId, name, chain } = await expectTarget(db, userId, targetName)
  // Counted first: a value predicted in between is polled for once too often, rather than never shown.
  const waiting = await countUnpredicted(db, userId, targetId)
  const of = { userId, targetId, chain, modelVersion }
  const { paid, unpaid } = await readOwnRows(dependencies, of)
  const judged = compareRows(paid, ownValuesSettings)
  const use = await readUseOfOwnValues(db, of)
  const is_used = isUsed(use, judged.verdict)
  const compared = [...judged.compared, ...combineReplicates(unpaid).map(withoutNumbers)].toSorted(
    (one, other) => other.pk - one.pk,
  )
  return { target: name, waiting, use, is_used, ...judged, compared }
}

/** A pair that the user has not paid for is listed with its measured value only. */
function withoutNumbers(value: MeasuredCompound): ComparedMeasurement {
  const { id, compound, smiles, pk, bound, count, spread } = value
  return { id, compound, smiles, pk, bound, count, spread, without_own: null, with_own: null }
}

function compareRows(rows: Predicted[], settings: OwnValuesSettings) {
  const compared = compareEach(combineReplicates(rows), settings)
  const exact = compared.filter(({ bound }) => bound === null)
  const agreement = (side: 'with_own' | 'without_own') =>
    agreementOf(exact.map((one) => ({ measured: one.pk, predicted: one[side].predicted })))
  const [without_own, with_own] = [agreement('without_own'), agreement('with_own')]
  const mean_of_own = agreementOfMean(exact.map(({ pk }) => pk))
  const judged = judge(exact.length, {
    without: without_own,
    withOwn: with_own,
    ofMean: mean_of_own,
  })
  return { compared, without_own, with_own, mean_of_own, ...judged }
}

type Verdict = MeasurementComparison['verdict']

/** Whether the values pass the comparison, or cannot be compared yet. */
function isGood(verdict: Verdict): boolean {
  return verdict !== 'harms' && verdict !== 'no better than the average'
}

/** The user's choice for the target; without one, the verdict decides. */
function isUsed(choice: boolean | null, verdict: Verdict): boolean {
  return choice ?? isGood(verdict)
}

/** `isAdjusted`: a pose moved the prediction, so it needs values compared with such predictions. */
type StartedEstimate = Estimate & { isAdjusted?: boolean }

type UpdateStarted = (others: StartedEstimate[]) => Updated[]

export type FittedValues = {
  count: number
  verdict: Verdict
  update: UpdateStarted
  /** Updates as if the user had no value for this molecule. */
  updateWithout(smiles: string): UpdateStarted
  /** Adds another tool's score, higher for stronger, by standard SMILES; null if it cannot be judged. */
  withScore(scoreOf: (smiles: string) => number | null, all: Scored[]): OtherScore | null
}

/** Values that change no prediction, because of their verdict or because the user disabled them. */
export type UnusedValues = Pick<FittedValues, 'count' | 'verdict'> & {
  update: null
  /** Null if the user disabled them: a score may be useful where own values are not. */
  withScore: FittedValues['withScore'] | null
}

/** Targets whose verdict is cached: comparing the maximum of 500 values takes a tenth of a second. */
const CACHED_VERDICTS = 1000
const verdicts = new LRUCache<string, Verdict>({ max: CACHED_VERDICTS })

type ValueOf = OwnValue & { smiles: string }
type Fit = { own: ValueOf[]; update: UpdateEstimates | null }

/** Fits that are cached, because every page of a screen needs those of all its targets. 500 values take 1 MB. */
const CACHED_FITS = 32
const fits = new LRUCache<string, Fit>({ max: CACHED_FITS })

/** A hash of everything a fit depends on: the molecule of a stored value never changes. */
function keyOf(rows: Predicted[]): string {
  const values = rows.map(({ id, type, pk, bound, predicted, halfWidth }) => {
    return [id, type, pk, bound, predicted, halfWidth]
  })
  return createHash('sha256').update(JSON.stringify(values)).digest('base64')
}

/** How far poses shift the predictions of compounds, by standard SMILES. */
export type Shifts = ReadonlyMap<string, number>

type Measured = {
  rows: Predicted[]
  of: PredictedOf
  /** Null if no pose moves a prediction. A compound without a pose is not shifted. */
  shifts?: Shifts | null
}

/**
 * The fit of a user's values on one target, those of paid pairs; null without values. Values that make predictions worse,
 * or no better than their average, are used only if the user chose so, and then do not narrow an interval. They are judged
 * on plain predictions, so that each target has only one verdict.
 */
export async function fitMeasured(
  db: Database,
  { rows, of, shifts = null }: Measured,
  settings: OwnValuesSettings,
): Promise<FittedValues | UnusedValues | null> {
  const plain = fitRows(rows, settings)
  const isMoved = shifts !== null && shifts.size > 0
  const adjusted = isMoved ? fitRows(shiftRows(rows, shifts), settings) : plain
  const count = Math.max(plain.own.length, adjusted.own.length)
  if (count === 0) return null
  const choice = await readUseOfOwnValues(db, of)
  const verdict = verdicts.get(plain.key) ?? compareRows(rows, settings).verdict
  verdicts.set(plain.key, verdict)
  const withScore: FittedValues['withScore'] = (scoreOf, all) => {
    const scored = adjusted.own.map((one) => ({ ...one, score: scoreOf(one.smiles) }))
    return fitOtherScore(scored, all, settings)
  }
  if (!isUsed(choice, verdict)) {
    return { count, verdict, update: null, withScore: choice === false ? null : withScore }
  }
  const updateBy = (updateOf: (fit: FittedRows) => UpdateEstimates) => {
    const update = byStart({ plain, adjusted }, updateOf)
    return isGood(verdict) ? update : withoutNarrowing(update)
  }
  return {
    count,
    verdict,
    update: updateBy((fit) => fit.update()),
    updateWithout: (smiles) => updateBy((fit) => fit.updateWithout(smiles)),
    withScore,
  }
}

function shiftRows(rows: Predicted[], shifts: Shifts): Predicted[] {
  return rows.map((row) => ({ ...row, predicted: row.predicted + (shifts.get(row.smiles) ?? 0) }))
}

type FittedRows = {
  key: string
  own: ValueOf[]
  update(): UpdateEstimates
  updateWithout(smiles: string): UpdateEstimates
}

function fitRows(rows: Predicted[], settings: OwnValuesSettings): FittedRows {
  const compounds = combineReplicates(rows)
  const key = keyOf(rows)
  const known = fits.get(key)
  const valued = () =>
    compounds.map((compound) => ({ ...toOwnValue(compound), smiles: compound.smiles }))
  const own = known?.own ?? expectBounds(valued(), settings)
  fits.set(key, known ?? { own, update: null })
  return {
    key,
    own,
    update() {
      const update = fits.get(key)?.update ?? fitOwnValues(own, settings)
      fits.set(key, { own, update })
      return update
    },
    updateWithout(smiles) {
      // Bounds keep the values expected beside the one left out: finding them anew takes seconds for 500.
      return fitOwnValues(
        own.filter((one) => one.smiles !== smiles),
        settings,
      )
    },
  }
}

type ByStart = Record<'plain' | 'adjusted', FittedRows>

/** Updates estimates with and without a pose separately, each with values compared with the same kind. */
function byStart(
  { plain, adjusted }: ByStart,
  updateOf: (fit: FittedRows) => UpdateEstimates,
): UpdateStarted {
  if (plain === adjusted) return updateOf(plain)
  return (others) => {
    const updated = new Map<StartedEstimate, Updated | undefined>()
    for (const [isAdjusted, some] of Map.groupBy(others, (one) => one.isAdjusted === true)) {
      const found = updateOf(isAdjusted ? adjusted : plain)(some)
      for (const [at, one] of some.entries()) updated.set(one, found[at])
    }
    return others.map((one) => updated.get(one) ?? one)
  }
}

function withoutNarrowing(fitted: UpdateStarted): UpdateStarted {
  return (others) =>
    fitted(others).map(({ predicted, halfWidth }, place) => ({
      predicted,
      halfWidth: Math.max(halfWidth, others[place]?.halfWidth ?? halfWidth),
    }))
}

type Number95 = NonNullable<ComparedMeasurement['with_own']>
type BothNumbers = ComparedMeasurement & Record<'without_own' | 'with_own', Number95>

/** A bound that adds no information does not affect other predictions; it is itself predicted from all other values. */
function compareEach(compounds: MeasuredCompound[], settings: OwnValuesSettings): BothNumbers[] {
  const values = compounds.map((compound) => ({ ...toOwnValue(compound), compound }))
  const telling = expectBounds(values, settings)
  const heard = new Set(telling.map(({ compound }) => compound))
  const silent = values.filter(({ compound }) => !heard.has(compound))
  const left = leaveOneOut(telling, settings)
  const others = updateByOwnValues(telling, silent, settings)
  const updated = new Map<MeasuredCompound, Updated | undefined>([
    ...telling.map(({ compound }, place) => [compound, left[place]] as const),
    ...silent.map(({ compound }, place) => [compound, others[place]] as const),
  ])
  const strongestFirst = compounds.toSorted((one, other) => other.pk - one.pk)
  return strongestFirst.map((one) => {
    const { id, compound, smiles, pk, bound, count, spread, predicted, halfWidth } = one
    const own = updated.get(one) ?? { predicted, halfWidth }
    const sides = { without_own: sideOf({ predicted, halfWidth }), with_own: sideOf(own) }
    return { id, compound, smiles, pk, bound, count, spread, ...sides }
  })
}

function sideOf({ predicted, halfWidth }: Updated) {
  return { predicted, lower: predicted - halfWidth, upper: predicted + halfWidth }
}
