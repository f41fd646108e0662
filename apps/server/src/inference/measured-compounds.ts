/** The measured values of the compounds most similar to a query on one training target. */
import { LRUCache } from 'lru-cache'
import { bitsIn, FINGERPRINT_WORDS } from './fingerprints.ts'
import { invertSets, type InvertedIndex } from './inverted-index.ts'

export type MeasuredCompounds = {
  /** `bits`: the compound's fingerprint; `target`: index among the training targets. */
  near(bits: number[], target: number): MeasuredNear
  /** The closest on several targets, closest first, up to the limit for one. */
  nearOnAny(bits: number[], targets: number[]): NearLabel[]
}

export type MeasuredNear = {
  /** At most five, closest first. */
  labels: NearLabel[]
  /** Model inputs: the columns of `describe` in training/affinity_model/measured.py. */
  columns: Float32Array
}

export type NearLabel = {
  /** In pK. The label of an upper bound is `BELOW_BY` lower. */
  value: number
  isBelow: boolean
  /** Tanimoto. */
  similarity: number
  /** Index in the file of labels, and fingerprint row of its compound. */
  place: number
  row: number
}

/** The labels of one target, in the order of the file. */
type Labels = {
  values: Float64Array
  /** 1 if the value is an upper bound. */
  below: Uint8Array
  /** Index of the first label in the file. */
  start: number
  rows: Uint32Array
  mean: number
  /** Bit count of each label's fingerprint. */
  bits: InvertedIndex
}

/** Maximum per target. */
const LABELS_NEAR = 5
const SHARPNESS = 15
export const MEASURED_COLUMNS = 2 * LABELS_NEAR + 4
/** How much lower an upper bound's label is than the bound. */
export const BELOW_BY = 0.7
/** A label in the file: fingerprint index, upper bound or not, and value in steps. */
const STEPS = 2048
const STEP = 0.01
const CACHED_TARGETS = 100

/** `packed`: all labels, target by target; `counts`: number per target. */
export function indexMeasured(
  fingerprints: Uint32Array,
  packed: Uint32Array,
  counts: number[],
): MeasuredCompounds {
  const starts = new Uint32Array(counts.length + 1)
  for (const [target, count] of counts.entries()) starts[target + 1] = (starts[target] ?? 0) + count
  const cache = new LRUCache<number, Labels>({ max: CACHED_TARGETS })

  function labelsOf(target: number): Labels {
    const known = cache.get(target)
    if (known !== undefined) return known
    const labels = packed.subarray(starts[target], starts[target + 1])
    const indexed = { start: starts[target] ?? 0, ...indexLabels(fingerprints, labels) }
    cache.set(target, indexed)
    return indexed
  }

  return {
    near(bits, target) {
      const all = labelsOf(target)
      const labels = nearestLabels(all, bits)
      return { labels, columns: summarise(labels, all) }
    },
    nearOnAny(bits, targets) {
      const labels = targets.flatMap((target) => nearestLabels(labelsOf(target), bits))
      return labels.toSorted((a, b) => b.similarity - a.similarity).slice(0, LABELS_NEAR)
    },
  }
}

/** A label as stored in the file; the compound is the row of its fingerprint. */
export function readLabel(packed: number): { row: number; value: number; isBelow: boolean } {
  return {
    row: Math.floor(packed / (2 * STEPS)),
    value: (packed % STEPS) * STEP,
    isBelow: Math.floor(packed / STEPS) % 2 === 1,
  }
}

function indexLabels(fingerprints: Uint32Array, packed: Uint32Array): Omit<Labels, 'start'> {
  const values = Float64Array.from(packed, (label) => readLabel(label).value)
  const below = Uint8Array.from(packed, (label) => Number(readLabel(label).isBelow))
  const rows = Uint32Array.from(packed, (label) => readLabel(label).row)
  const bits = Array.from(rows, (row) => {
    const at = row * FINGERPRINT_WORDS
    return bitsIn(fingerprints.subarray(at, at + FINGERPRINT_WORDS))
  })
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
  return { values, below, rows, mean, bits: invertSets(bits) }
}

/**
 * The labels of the most similar fingerprints, closest first; ties in file order. An index loop on purpose: it runs for
 * every pair, over all labels of its target.
 */
function nearestLabels(labels: Labels, bits: number[]): NearLabel[] {
  const { values, below, rows, start, bits: known } = labels
  const shared = known.countShared(bits)
  const near: NearLabel[] = []
  let last = -1
  for (let place = 0; place < shared.length; place += 1) {
    const common = shared[place] ?? 0
    const either = bits.length + (known.sizes[place] ?? 0) - common
    if (common <= last * either) continue
    const similarity = common / Math.max(either, 1)
    const [value, row] = [values[place] ?? 0, rows[place] ?? 0]
    insert(near, { value, isBelow: below[place] === 1, similarity, place: start + place, row })
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
