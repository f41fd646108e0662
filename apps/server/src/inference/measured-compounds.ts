/** The measured values of the compounds most similar to a query on one training target, and what the regression misses of them. */
import { LRUCache } from 'lru-cache'
import { bitsIn, FINGERPRINT_WORDS } from './fingerprints.ts'
import { insertSorted } from './insert-sorted.ts'
import { invertSets, type InvertedIndex, listHolders } from './inverted-index.ts'
import { keepPrivate } from './shared-arrays.ts'

/** `target`: index among the training targets; `row`: of a compound's fingerprint. */
export type MeasuredCompounds = {
  /** The exact values of the compounds closest to one with these bits, closest first. */
  nearestExact(target: number, bits: number[], count: number): NearValue[]
  /** Every exact value of a compound. */
  forEachExact(row: number, visit: (place: number, target: number) => void): void
  /** The target that the label at this place was measured on. */
  targetOf(place: number): number
  /** Measured minus predicted by the regression, without the offset of its type. */
  residualAt(place: number): number
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
type Labels = {
  values: Float64Array
  /** 1 if the value is an upper bound. */
  below: Uint8Array
  /** Index of the first label in the file. */
  start: number
  rows: Uint32Array
  /** Bit count of each label's fingerprint. */
  bits: InvertedIndex
}

/** An exact value: its index in the file of labels, fingerprint row of its compound, and Tanimoto similarity. */
type NearValue = { place: number; row: number; similarity: number }

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
export function indexMeasured(
  files: MeasuredFiles,
  counts: number[],
  share = keepPrivate,
): MeasuredCompounds {
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

  const targets = share(Uint16Array, () => {
    const filled = new Uint16Array(files.packed.length)
    for (const target of counts.keys()) filled.fill(target, starts[target], starts[target + 1])
    return filled
  })
  const forEachExact = (visit: (place: number, row: number) => void) => {
    for (const [place, label] of files.packed.entries()) {
      const { row, isBelow } = readLabel(label)
      if (!isBelow) visit(place, row)
    }
  }
  const compounds = files.fingerprints.length / FINGERPRINT_WORDS
  const exact = listHolders(forEachExact, compounds, Uint32Array, share)

  return {
    targetOf: (place) => targets[place] ?? 0,
    residualAt: (place) => files.residuals[place] ?? 0,
    forEachExact(row, visit) {
      const end = exact.starts[row + 1] ?? 0
      for (let at = exact.starts[row] ?? 0; at < end; at += 1) {
        const place = exact.holders[at] as number
        visit(place, targets[place] as number)
      }
    },
    nearestExact(target, bits, count) {
      const labels = labelsOf(target)
      return mostSimilar(labels, bits, { count, isExact: true }).map(({ place, similarity }) => ({
        place: labels.start + place,
        row: labels.rows[place] ?? 0,
        similarity,
      }))
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

function indexLabels({ fingerprints, packed }: MeasuredFiles, start: number, end: number): Labels {
  const labels = packed.subarray(start, end)
  const values = Float64Array.from(labels, (label) => readLabel(label).value)
  const below = Uint8Array.from(labels, (label) => Number(readLabel(label).isBelow))
  const rows = Uint32Array.from(labels, (label) => readLabel(label).row)
  const bits = Array.from(rows, (row) => {
    const at = row * FINGERPRINT_WORDS
    return bitsIn(fingerprints.subarray(at, at + FINGERPRINT_WORDS))
  })
  return { values, below, rows, start, bits: rememberLast(invertSets(bits)) }
}

/** Kriging and the list of measured compounds ask for the same counts, one after the other. */
function rememberLast(index: InvertedIndex): InvertedIndex {
  let last: { members: Iterable<number>; shared: Uint32Array } | null = null
  return {
    sizes: index.sizes,
    countShared(members) {
      if (last?.members !== members) last = { members, shared: index.countShared(members) }
      return last.shared
    },
  }
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

/** Closest first; ties in file order. */
function mostSimilar(
  { below, bits: known }: Labels,
  bits: number[],
  { count, isExact }: { count: number; isExact: boolean },
): { place: number; similarity: number }[] {
  const shared = known.countShared(bits)
  const skipped = isExact ? below : null
  const compared = { shared, sizes: known.sizes, skipped, size: bits.length }
  const near: { place: number; similarity: number }[] = []
  let last = -1
  for (let at = nextAbove(last, compared, 0); at < shared.length;) {
    const similarity = similarityAt(compared, at)
    // The product in `nextAbove` is rounded: an equal one may pass it.
    if (similarity > last) {
      const one = { place: at, similarity }
      insertSorted(near, one, count, (kept) => kept.similarity >= similarity)
      last = near[count - 1]?.similarity ?? last
    }
    at = nextAbove(last, compared, at + 1)
  }
  return near
}

/** By label: shared bits, size, and 1 if it does not count, null if all count; `size`: of the query. */
type Compared = {
  shared: Uint32Array
  sizes: Uint32Array
  skipped: Uint8Array | null
  size: number
}

function similarityAt({ shared, sizes, size }: Compared, at: number): number {
  const common = shared[at] as number
  return common / Math.max(size + (sizes[at] as number) - common, 1)
}

/** The next label that counts and is more similar. A loop of its own on purpose: it runs for every pair, over all labels. */
function nextAbove(
  similarity: number,
  { shared, sizes, skipped, size }: Compared,
  from: number,
): number {
  // Either has all bits of the query, so most labels are ruled out by one comparison.
  const toExceed = Math.floor(similarity * size)
  for (let at = from; at < shared.length; at += 1) {
    const common = shared[at] as number
    if (common <= toExceed) continue
    const either = size + (sizes[at] as number) - common
    if (common > similarity * either && skipped?.[at] !== 1) return at
  }
  return shared.length
}
