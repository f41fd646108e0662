/** Combines several values of one compound on one target when read; stored values are unchanged. */
import type { CombinedMeasurement, MeasurementType } from '@pkdex/contract'
import type { Predicted } from './store.ts'

/** `predicted`: the model's prediction for the compound, if there is one. */
type Value = Pick<Predicted, 'smiles' | 'type' | 'pk' | 'bound'> & { predicted: number | null }

/** A compound with all its values on a target. */
export type MeasuredCompound = Combination<Predicted>

type Combination<Row extends Value> = Omit<Row, 'type'> & {
  /** The types (Kd, Ki, IC50) of the values averaged in `pk`. */
  types: MeasurementType[]
  /** The number of values averaged in `pk`. */
  count: number
  /** The standard deviation of these values; null for one value and for bounds. */
  spread: number | null
}

/** Compounds are in the order of their first value. */
export function combineReplicates<Row extends Value>(rows: Row[]): Combination<Row>[] {
  return [...Map.groupBy(rows, ({ smiles }) => smiles).values()].flatMap((some) => {
    const [first] = some
    return first === undefined ? [] : [{ ...first, ...combineValues(first, some) }]
  })
}

/** Also returns every name that the values of a compound have. */
export function combineNamed(rows: (Value & { compound: string })[]): CombinedMeasurement[] {
  const names = Map.groupBy(rows, ({ smiles }) => smiles)
  return combineReplicates(rows).map(({ smiles, pk, bound, count, spread }) => {
    const called = names.get(smiles)?.map(({ compound }) => compound)
    return { smiles, names: [...new Set(called)], pk, bound, count, spread }
  })
}

type Combined = Pick<Combination<Value>, 'pk' | 'bound' | 'types' | 'count' | 'spread'>

/**
 * The mean pK, which is the geometric mean of the concentrations. Exact values take precedence over bounds, and Kd and
 * Ki over IC50, which depends on the assay: the training data merges values in the same way.
 */
function combineValues({ predicted }: Value, rows: Value[]): Combined {
  const exact = rows.filter(({ bound }) => bound === null)
  const { used, ...value } =
    exact.length > 0
      ? meanOf(constantsFirst(exact))
      : closestBound(rows, predicted ?? meanOf(rows).pk)
  return { ...value, count: used.length, types: [...new Set(used.map(({ type }) => type))] }
}

function constantsFirst(rows: Value[]): Value[] {
  const constants = rows.filter(({ type }) => type !== 'IC50')
  return constants.length > 0 ? constants : rows
}

function meanOf(used: Value[]) {
  const pk = used.reduce((sum, row) => sum + row.pk, 0) / used.length
  const squares = used.reduce((sum, row) => sum + (row.pk - pk) ** 2, 0)
  const spread = used.length > 1 ? Math.sqrt(squares / (used.length - 1)) : null
  return { used, pk, bound: null, spread }
}

/**
 * The tightest bound on the side that the prediction violates or is closer to. Without a prediction, the mean of the
 * bounds stands in for it.
 */
function closestBound(rows: Value[], predicted: number) {
  const excess = ({ bound, pk }: Value) => (bound === 'upper' ? predicted - pk : pk - predicted)
  const closest = rows.reduce((one, other) => (excess(other) > excess(one) ? other : one))
  const used = rows.filter(({ bound }) => bound === closest.bound)
  return { used, pk: closest.pk, bound: closest.bound, spread: null }
}
