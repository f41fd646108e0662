/** What the compounds most like a query were measured at on one training target. */
import { bitsIn, FINGERPRINT_WORDS } from './fingerprints.ts'
import { invertSets, type InvertedIndex } from './inverted-index.ts'
import { openRecentCache } from './recent-cache.ts'

export type MeasuredCompounds = {
  /** `bits`: those of a compound's fingerprint; `target`: its place in the list of training targets. */
  near(bits: number[], target: number): MeasuredNear
}

export type MeasuredNear = {
  /** At most five, nearest first. */
  labels: NearLabel[]
  /** What the model sees of them: the columns of `describe` in training/affinity_model/measured.py. */
  columns: Float32Array
}

export type NearLabel = {
  /** In pK. The label of an upper bound lies `BELOW_BY` under it. */
  value: number
  isBelow: boolean
  /** Tanimoto. */
  similarity: number
}

/** The labels of one target, in the order of the file. */
type Labels = {
  values: Float64Array
  /** 1 where the value stands for an upper bound. */
  below: Uint8Array
  mean: number
  /** Of each label's fingerprint. */
  bits: InvertedIndex
}

/** As many as are noted of one target. */
export const LABELS_NEAR = 5
const SHARPNESS = 15
export const MEASURED_COLUMNS = 2 * LABELS_NEAR + 4
/** How far under its bound an upper bound's label lies. */
export const BELOW_BY = 0.7
/** A label in the file: the place of its fingerprint, whether it is an upper bound, and its value in steps. */
const STEPS = 2048
const STEP = 0.01
const TARGETS_KEPT = 100

/** `packed`: all labels, target by target; `counts`: how many each target has. */
export function indexMeasured(
  fingerprints: Uint32Array,
  packed: Uint32Array,
  counts: number[],
): MeasuredCompounds {
  const starts = new Uint32Array(counts.length + 1)
  for (const [target, count] of counts.entries()) starts[target + 1] = (starts[target] ?? 0) + count
  const kept = openRecentCache<Labels>(TARGETS_KEPT)

  function labelsOf(target: number): Labels {
    const known = kept.get(String(target))
    if (known !== undefined) return known
    const labels = packed.subarray(starts[target], starts[target + 1])
    const indexed = indexLabels(fingerprints, labels)
    kept.set(String(target), indexed)
    return indexed
  }

  return {
    near(bits, target) {
      const all = labelsOf(target)
      const labels = nearestLabels(all, bits)
      return { labels, columns: summarise(labels, all) }
    },
  }
}

/** A label as the file holds it, its compound by the row of its fingerprint. */
export function readLabel(packed: number): { row: number; value: number; isBelow: boolean } {
  return {
    row: Math.floor(packed / (2 * STEPS)),
    value: (packed % STEPS) * STEP,
    isBelow: Math.floor(packed / STEPS) % 2 === 1,
  }
}

function indexLabels(fingerprints: Uint32Array, packed: Uint32Array): Labels {
  const values = Float64Array.from(packed, (label) => readLabel(label).value)
  const below = Uint8Array.from(packed, (label) => Number(readLabel(label).isBelow))
  const bits = Array.from(packed, (label) => {
    const at = readLabel(label).row * FINGERPRINT_WORDS
    return bitsIn(fingerprints.subarray(at, at + FINGERPRINT_WORDS))
  })
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
  return { values, below, mean, bits: invertSets(bits) }
}

/**
 * The labels of the most similar fingerprints, nearest first; among equals those that stand first.
 * An index loop on purpose: it runs for every pair, over all labels of its target.
 */
function nearestLabels({ values, below, bits: known }: Labels, bits: number[]): NearLabel[] {
  const shared = known.countShared(bits)
  const near: NearLabel[] = []
  let last = -1
  for (let place = 0; place < shared.length; place += 1) {
    const common = shared[place] ?? 0
    const either = bits.length + (known.sizes[place] ?? 0) - common
    if (common <= last * either) continue
    const similarity = common / Math.max(either, 1)
    insert(near, { value: values[place] ?? 0, isBelow: below[place] === 1, similarity })
    if (near.length === LABELS_NEAR) last = near[LABELS_NEAR - 1]?.similarity ?? 0
  }
  return near
}

function insert(near: NearLabel[], label: NearLabel): void {
  const rank = near.findIndex(({ similarity }) => similarity < label.similarity)
  near.splice(rank === -1 ? near.length : rank, 0, label)
  if (near.length > LABELS_NEAR) near.pop()
}

function summarise(near: NearLabel[], labels: Labels): Float32Array {
  const { mean } = labels
  const slots = Array.from(
    { length: LABELS_NEAR },
    (_, rank) => near[rank] ?? { value: mean, similarity: 0 },
  )
  const nearest = slots[0]?.similarity ?? 0
  const weights = slots.map(({ similarity }) => Math.exp(SHARPNESS * (similarity - nearest)))
  const total = sumOf(weights)
  const weighted = sumOf(slots.map(({ value }, rank) => value * (weights[rank] ?? 0))) / total
  const variance =
    sumOf(slots.map(({ value }, rank) => (value - weighted) ** 2 * (weights[rank] ?? 0))) / total
  return Float32Array.of(
    ...slots.map(({ value }) => value),
    ...slots.map(({ similarity }) => similarity),
    weighted,
    Math.sqrt(variance),
    mean,
    labels.values.length,
  )
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
