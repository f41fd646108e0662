/** The measured values of the compounds most similar to a query on one training target, and what the regression misses of them. */
import { LRUCache } from 'lru-cache'
import { bitsIn, FINGERPRINT_WORDS } from './fingerprints.ts'
import { invertSets, type InvertedIndex } from './inverted-index.ts'

export type MeasuredCompounds = {
  /** `target`: index among the training targets. */
  labelsOf(target: number): Labels
  /** The closest on several targets, closest first, up to the limit for one. */
  nearOnAny(bits: number[], targets: number[]): NearLabel[]
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
export type Labels = {
  values: Float64Array
  /** 1 if the value is an upper bound. */
  below: Uint8Array
  /** Index of the first label in the file. */
  start: number
  rows: Uint32Array
  /** Measured minus predicted by the regression, without offsets of type and assay; nothing for upper bounds. */
  residuals: Float32Array
  /** Bit count of each label's fingerprint. */
  bits: InvertedIndex
  /** Fingerprints of all compounds, by row. */
  fingerprints: Uint32Array
}

/** An exact value: fingerprint row and number of bits of its compound, Tanimoto similarity, and residual. */
export type NearResidual = {
  place: number
  row: number
  bits: number
  similarity: number
  residual: number
}

/** Maximum per target. */
const LABELS_NEAR = 5
/** How much lower an upper bound's label is than the bound. */
export const BELOW_BY = 0.7
/** A label in the file: fingerprint index, upper bound or not, and value in steps. */
const STEPS = 2048
const STEP = 0.01
const CACHED_TARGETS = 100

export type MeasuredFiles = {
  fingerprints: Uint32Array
  /** All labels, target by target, and the residual of each. */
  packed: Uint32Array
  residuals: Float16Array
}

/** `counts`: labels per target. */
export function indexMeasured(files: MeasuredFiles, counts: number[]): MeasuredCompounds {
  const starts = new Uint32Array(counts.length + 1)
  for (const [target, count] of counts.entries()) starts[target + 1] = (starts[target] ?? 0) + count
  const cache = new LRUCache<number, Labels>({ max: CACHED_TARGETS })

  function labelsOf(target: number): Labels {
    const known = cache.get(target)
    if (known !== undefined) return known
    const indexed = indexLabels(files, starts[target] ?? 0, starts[target + 1] ?? 0)
    cache.set(target, indexed)
    return indexed
  }

  return {
    labelsOf,
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

function indexLabels(
  { fingerprints, packed, residuals }: MeasuredFiles,
  start: number,
  end: number,
): Labels {
  const labels = packed.subarray(start, end)
  const values = Float64Array.from(labels, (label) => readLabel(label).value)
  const below = Uint8Array.from(labels, (label) => Number(readLabel(label).isBelow))
  const rows = Uint32Array.from(labels, (label) => readLabel(label).row)
  const bits = Array.from(rows, (row) => {
    const at = row * FINGERPRINT_WORDS
    return bitsIn(fingerprints.subarray(at, at + FINGERPRINT_WORDS))
  })
  const missed = Float32Array.from(residuals.subarray(start, end))
  return { values, below, rows, residuals: missed, start, bits: invertSets(bits), fingerprints }
}

/** The labels of the most similar fingerprints, closest first; ties in file order. */
function nearestLabels(labels: Labels, bits: number[]): NearLabel[] {
  return mostSimilar(labels, bits, { count: LABELS_NEAR, isExact: false }).map(
    ({ place, similarity }) => ({
      value: labels.values[place] ?? 0,
      isBelow: labels.below[place] === 1,
      similarity,
      place: labels.start + place,
      row: labels.rows[place] ?? 0,
    }),
  )
}

/** The same of exact values only. */
export function nearestExact(labels: Labels, bits: number[], count: number): NearResidual[] {
  return mostSimilar(labels, bits, { count, isExact: true }).map(({ place, similarity }) => ({
    place: labels.start + place,
    row: labels.rows[place] ?? 0,
    bits: labels.bits.sizes[place] ?? 0,
    similarity,
    residual: labels.residuals[place] ?? 0,
  }))
}

/** An index loop on purpose: it runs for every pair, over all labels of its target. */
function mostSimilar(
  { below, bits: known }: Labels,
  bits: number[],
  { count, isExact }: { count: number; isExact: boolean },
): { place: number; similarity: number }[] {
  const shared = known.countShared(bits)
  const near: { place: number; similarity: number }[] = []
  let last = -1
  for (let place = 0; place < shared.length; place += 1) {
    if (isExact && below[place] === 1) continue
    const common = shared[place] ?? 0
    const either = bits.length + (known.sizes[place] ?? 0) - common
    if (common <= last * either) continue
    const similarity = common / Math.max(either, 1)
    // The product above is rounded: an equal one may pass it.
    if (similarity <= last) continue
    insert(near, { place, similarity }, count)
    if (near.length === count) last = near[count - 1]?.similarity ?? 0
  }
  return near
}

/** Into the list, closest first; the last of a full list goes. */
export function insert<One extends { similarity: number }>(
  near: One[],
  one: One,
  count: number,
): void {
  let rank = near.length === count ? count - 1 : near.length
  for (; rank > 0; rank -= 1) {
    const before = near[rank - 1]
    if (before === undefined || before.similarity >= one.similarity) break
    near[rank] = before
  }
  near[rank] = one
}
