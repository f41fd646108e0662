/** Compares the effect of each change of a group on pK: in the measured values of a series, and in training data. */
import type { MatchedPair } from '@pkdex/biochem'
import { CHANGES_MAX, type GroupChange, PAIRS_OF_CHANGE_MAX } from '@pkdex/contract'
import type { TrainingChanges } from './training-changes.ts'
import { round } from '#server/platform/round.ts'

type About = {
  training: TrainingChanges
  segments: string[] | null
  /** Number of molecules that a change would add; null if they are not counted. */
  gapsOf?: (from: string, to: string) => number | null
}

type Compared = { changes: GroupChange[]; total: number; trainingTarget: string | null }

/** `values`: the pK of each compound, null if it was not measured. */
export function comparePairs(
  pairs: MatchedPair[],
  values: (number | null)[],
  { training, segments, gapsOf = () => null }: About,
): Compared {
  const target = segments === null ? null : training.findTarget(segments)
  const changes = [...Map.groupBy(pairs, (pair) => `${pair.fromGroup} ${pair.toGroup}`).values()]
  const described = changes.flatMap((some) => describeChange(some, values))
  const shown = described
    .toSorted((a, b) => b.measured - a.measured || b.pair_count - a.pair_count)
    .slice(0, CHANGES_MAX)
  return {
    changes: shown.map(({ from, to, ...change }) => ({
      from,
      to,
      ...change,
      gaps: gapsOf(from, to),
      training: training.find(from, to),
      training_on_target: target && training.findOnTarget(from, to, target.place),
    })),
    total: described.length,
    trainingTarget: target?.name ?? null,
  }
}

type Described = Omit<GroupChange, 'gaps' | 'training' | 'training_on_target'>

function describeChange(pairs: MatchedPair[], values: (number | null)[]): Described[] {
  const [first] = pairs
  if (first === undefined) return []
  const compared = pairs.map(({ from, to }) => {
    const [before, after] = [values[from] ?? null, values[to] ?? null]
    return { from, to, change: before === null || after === null ? null : round(after - before, 3) }
  })
  const changes = compared.flatMap(({ change }) => change ?? [])
  const numbers = changes.length === 0 ? noNumbers : summarise(changes)
  const { fromGroup: from, toGroup: to } = first
  const measuredFirst = compared.toSorted(
    (a, b) => Number(a.change === null) - Number(b.change === null),
  )
  const listed = measuredFirst.slice(0, PAIRS_OF_CHANGE_MAX)
  const counts = { pair_count: pairs.length, measured: changes.length }
  return [{ from, to, pairs: listed, ...counts, ...numbers }]
}

const noNumbers = { mean: null, spread: null, lower: null, upper: null }

/** The usual spread of one change over its pairs: the median over the training data. */
const USUAL_SPREAD = 0.52
const NORMAL_95 = 1.959964

/**
 * Student's t interval of the mean, but never narrower than the usual spread gives, so that two equal changes do not
 * look certain; for a single pair, that of the usual spread.
 */
function summarise(changes: number[]) {
  const count = changes.length
  const mean = changes.reduce((sum, change) => sum + change, 0) / count
  const squares = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0)
  const spread = count > 1 ? Math.sqrt(squares / (count - 1)) : null
  const student = spread === null ? 0 : studentQuantile(count - 1) * spread
  const half = Math.max(NORMAL_95 * USUAL_SPREAD, student) / Math.sqrt(count)
  return {
    mean: round(mean, 3),
    spread: spread === null ? null : round(spread, 3),
    lower: round(mean - half, 3),
    upper: round(mean + half, 3),
  }
}

/** The 97.5% quantiles of Student's t for 1 to 10 degrees of freedom. */
const quantiles = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281]

/** Above ten degrees of freedom by the expansion around the normal quantile, right to four digits. */
function studentQuantile(degrees: number): number {
  const z = NORMAL_95
  return (
    quantiles[degrees - 1] ??
    z +
      (z ** 3 + z) / (4 * degrees) +
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
      (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  )
}
