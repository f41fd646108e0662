/** Predicted against measured on one target: without own values, and each with all of them but itself. */
import type { ComparedMeasurement, MeasurementComparison } from '@pkdex/contract'
import { leaveOneOut, type Updated, updateByOwnValues } from '#server/inference/service.ts'
import { agreementOf, judge } from './agreement.ts'
import { expectTarget, type MeasurementDependencies } from './import.ts'
import { errorShares, toOwnValue, toOwnValues } from './own-values.ts'
import { countUnpredicted, type Predicted, readPredicted } from './store.ts'

export async function compareMeasurements(
  { db, modelVersion }: Pick<MeasurementDependencies, 'db' | 'modelVersion'>,
  userId: string,
  targetName: string,
): Promise<MeasurementComparison> {
  const { id: targetId, name, chain } = await expectTarget(db, userId, targetName)
  // Counted first: what is predicted in between is looked for once more, rather than never.
  const waiting = await countUnpredicted(db, userId, targetId)
  const rows = await readPredicted(db, { userId, targetId, chain, modelVersion })
  const compared = compareEach(rows)
  const exact = compared.filter(({ bound }) => bound === null)
  const agreement = (side: 'with_own' | 'without_own') =>
    agreementOf(exact.map((one) => ({ measured: one.pk, predicted: one[side].predicted })))
  const [without_own, with_own] = [agreement('without_own'), agreement('with_own')]
  return {
    target: name,
    compared,
    waiting,
    without_own,
    with_own,
    ...judge(exact.length, without_own, with_own),
  }
}

/** A bound that its number keeps moves no other; it gets what all the others say of it. */
function compareEach(rows: Predicted[]): ComparedMeasurement[] {
  const telling = rows.filter((row) => toOwnValues([row]).length > 0)
  const silent = rows.filter((row) => !telling.includes(row))
  const updated = new Map<Predicted, Updated | undefined>()
  const left = leaveOneOut(telling.map(toOwnValue), errorShares)
  for (const [place, row] of telling.entries()) updated.set(row, left[place])
  const others = updateByOwnValues(telling.map(toOwnValue), silent.map(toOwnValue), errorShares)
  for (const [place, row] of silent.entries()) updated.set(row, others[place])
  const strongestFirst = rows.toSorted((one, other) => other.pk - one.pk)
  return strongestFirst.map((row) => {
    const { id, compound, pk, bound, predicted, halfWidth } = row
    const own = updated.get(row) ?? { predicted, halfWidth }
    const sides = { without_own: sideOf({ predicted, halfWidth }), with_own: sideOf(own) }
    return { id, compound, pk, bound, ...sides }
  })
}

function sideOf({ predicted, halfWidth }: Updated) {
  return { predicted, lower: predicted - halfWidth, upper: predicted + halfWidth }
}
