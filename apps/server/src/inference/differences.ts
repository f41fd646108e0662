/**
 * Predicts how much more strongly a compound binds than others of its screen, whatever the protein: boosted trees, learnt
 * from pairs of compounds within assays. Written by training/affinity_model/differences.py.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  type CompoundFeatures,
  compoundFeatures,
  featureSpec,
  type RdkitModule,
} from '@pkdex/biochem'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'

/** Standard SMILES of the compounds, and of the anchors that each is compared with. */
export type Compared = { smiles: string[]; anchors: string[] }

/** Per compound, the mean difference from the anchors in pK. Throws if RDKit breaks: its module is then unusable. */
export type Compare = (compared: Compared) => Promise<number[]>

export const DIFFERENCES_FILE = 'differences.json.gz'
const ANCHORS_MAX = 50
/** The only bits that the trees read. */
const BITS = 'morgan-counts'
/** All blocks of a screen use the same anchors. */
const CACHED_FEATURES = 500
/** Differences are stored with the poses; more digits would only take space. */
const STEPS_PER_UNIT = 10_000
/** Bits of an environment: present at least 1, 2, 4 and 8 times. */
const BITS_OF_COUNT = 4

const numbers = z.array(z.number())
const Trees = z.object({
  /** Counted atom environments, by their number among all. */
  environments: numbers,
  /** First node of each tree. */
  roots: numbers,
  /** Per node: input, threshold, and the next node if the input is at most the threshold, or above it; ~leaf ends. */
  inputs: numbers,
  thresholds: numbers,
  below: numbers,
  above: numbers,
  /** Values of the leaves, in pK. */
  leaves: numbers,
})

/** Selects anchors at even spacing; all compounds if there are few. */
export function chooseAnchors(smiles: string[]): string[] {
  const count = Math.min(smiles.length, ANCHORS_MAX)
  const step = (smiles.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, at) => smiles[Math.round(at * step)] ?? '')
}

/** What the trees see of a compound. */
type Seen = { descriptors: Float32Array; counts: Float32Array }

export function openDifferences(directory: string, rdkit: RdkitModule): Compare {
  const text = gunzipSync(readFileSync(join(directory, DIFFERENCES_FILE))).toString('utf8')
  const trees = Trees.parse(JSON.parse(text))
  const countsOf = openCounts(trees.environments)
  const evaluate = openTrees(trees)
  const cache = new LRUCache<string, Seen>({ max: CACHED_FEATURES })

  function read(smiles: string): Seen {
    const known = cache.get(smiles)
    if (known !== undefined) return known
    const features = compoundFeatures(rdkit, smiles)
    const seen = { descriptors: features.descriptors, counts: countsOf(features) }
    cache.set(smiles, seen)
    return seen
  }

  // Half of the difference there and back, so that two compounds differ by as much in either order.
  const differenceOf = (one: Seen, other: Seen) =>
    (evaluate(inputsOf(one, other)) - evaluate(inputsOf(other, one))) / 2

  return async ({ smiles, anchors }) => {
    const known = anchors.map(read)
    return smiles.map((one) => {
      const seen = read(one)
      const sum = known.reduce((total, anchor) => total + differenceOf(seen, anchor), 0)
      return Math.round((sum / known.length) * STEPS_PER_UNIT) / STEPS_PER_UNIT
    })
  }
}

/** Counts a compound's environments: bits of a block that say at least how often each occurs. */
function openCounts(environments: number[]) {
  let start = 0
  for (const { name, size } of featureSpec.compound.blocks) {
    if (name === BITS) break
    start += size
  }
  const placeOf = new Map(environments.map((environment, place) => [environment, place]))
  return ({ bits }: CompoundFeatures): Float32Array => {
    const counts = new Float32Array(environments.length)
    for (const bit of bits) {
      const place = placeOf.get(Math.floor((bit - start) / BITS_OF_COUNT))
      if (bit >= start && place !== undefined) counts[place] = (counts[place] ?? 0) + 1
    }
    return counts
  }
}

/** Descriptors apart and of the other, then counts apart. An index loop on purpose: it runs for every two compounds. */
function inputsOf(one: Seen, other: Seen): Float32Array {
  const [width, count] = [one.descriptors.length, one.counts.length]
  const inputs = new Float32Array(2 * width + count)
  for (let at = 0; at < width; at += 1) {
    const value = other.descriptors[at] as number
    inputs[at] = (one.descriptors[at] as number) - value
    inputs[width + at] = value
  }
  for (let at = 0; at < count; at += 1) {
    inputs[2 * width + at] = (one.counts[at] as number) - (other.counts[at] as number)
  }
  return inputs
}

/** The sum of all trees' leaves. */
function openTrees(trees: z.infer<typeof Trees>): (inputs: Float32Array) => number {
  const roots = Int32Array.from(trees.roots)
  const inputOf = Uint16Array.from(trees.inputs)
  const thresholds = Float64Array.from(trees.thresholds)
  const [below, above] = [Int32Array.from(trees.below), Int32Array.from(trees.above)]
  const leaves = Float64Array.from(trees.leaves)
  return (inputs) => {
    let sum = 0
    for (let tree = 0; tree < roots.length; tree += 1) {
      let node = roots[tree] as number
      while (node >= 0) {
        const isBelow = (inputs[inputOf[node] as number] as number) <= (thresholds[node] as number)
        node = (isBelow ? below[node] : above[node]) as number
      }
      sum += leaves[~node] as number
    }
    return sum
  }
}
