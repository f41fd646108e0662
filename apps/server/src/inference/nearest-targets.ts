/** Finds the training targets most similar to an uploaded chain, by shared k-mers. */
import { readFileSync } from 'node:fs'
import { kmerContainment, type TargetFeatures } from '@pkdex/biochem'
import { z } from 'zod'
import { invertSets } from './inverted-index.ts'
import { keepPrivate } from './shared-arrays.ts'

export type NearTarget = {
  name: string
  similarity: number
  /** Index among the training targets. */
  place: number
  /** Number of compounds measured on it. */
  measured: number
}

export type TargetNeighbours = {
  /** The most similar training targets with distinct names, closest first; ties by number of measured compounds. */
  nearest(features: TargetFeatures): NearTarget[]
  /** This many of the most similar ones, whatever their names, in the same order. */
  sharingMost(features: TargetFeatures, count: number): NearTarget[]
  /**
   * The target that the chain is, or is a part of: of equal similarity, to the percent, the shortest entry, rather than a
   * polyprotein. Null if nothing is shared.
   */
  closest(features: TargetFeatures): { place: number; similarity: number } | null
  /** Cosine similarity of k-mer sets to every training target. */
  cosines(features: TargetFeatures): Float32Array
  /** The same of a training target. */
  cosinesOf(place: number): Float32Array
  /** Indices of the entries with (nearly) the same sequence, itself included, with the number of values on each. */
  twinsOf(place: number): { place: number; measured: number }[]
}

const NEIGHBOURS_SHOWN = 3

const TrainingTargets = z.array(
  /** `words`: its number of k-mers. */
  z.object({
    name: z.string(),
    words: z.number(),
    /** Values, and those that are no bounds. */
    measured: z.number(),
    exact: z.number(),
    mostlyIc50: z.boolean(),
  }),
)
export type TrainingTargets = z.infer<typeof TrainingTargets>

export function readTrainingTargets(file: string): TrainingTargets {
  return TrainingTargets.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** `kmers`: identifying k-mers, concatenated by target. */
export function indexTargets(
  targets: TrainingTargets,
  kmers: Uint32Array,
  share = keepPrivate,
): TargetNeighbours {
  const sets = kmersOfEach(targets, kmers)
  const index = invertSets(sets, share)

  function sorted(features: TargetFeatures): NearTarget[] {
    const shared = index.countShared(features.identity)
    const all = targets.map(({ name, words: count, measured }, place) => ({
      name,
      similarity: kmerContainment(shared[place] ?? 0, features.identity.length, count),
      place,
      measured,
    }))
    return all.toSorted((a, b) => b.similarity - a.similarity || b.measured - a.measured)
  }

  function twinsOf(place: number): { place: number; measured: number }[] {
    const own = sets[place] ?? []
    const shared = index.countShared(own)
    return targets.flatMap(({ words: count, measured }, other) =>
      other === place || areTwins(shared[other] ?? 0, own.length, count)
        ? [{ place: other, measured }]
        : [],
    )
  }

  /** At most 20 MB: the square of the number of targets. */
  const known = new Map<number, Float32Array>()
  function cosinesOf(place: number): Float32Array {
    const found = known.get(place) ?? cosines({ identity: sets[place] ?? new Uint32Array() })
    known.set(place, found)
    return found
  }

  function cosines({ identity }: Pick<TargetFeatures, 'identity'>): Float32Array {
    const shared = index.countShared(identity)
    return Float32Array.from(targets, ({ words }, place) => {
      const size = Math.sqrt(Math.max(words, 1) * Math.max(identity.length, 1))
      return (shared[place] ?? 0) / size
    })
  }

  function closest({ identity }: TargetFeatures): { place: number; similarity: number } | null {
    const shared = index.countShared(identity)
    let best: { place: number; similarity: number } | null = null
    let [percent, size] = [0, 0]
    for (const [place, { words: count }] of targets.entries()) {
      const similarity = kmerContainment(shared[place] ?? 0, identity.length, count)
      if (similarity === 0) continue
      const rounded = Math.floor(similarity * 100 + 0.5)
      const isBetter = rounded > percent || (rounded === percent && count < size)
      if (best !== null && !isBetter) continue
      best = { place, similarity }
      percent = rounded
      size = count
    }
    return best
  }

  return {
    cosines,
    cosinesOf,
    closest,
    nearest: (features) => firstOfEachName(sorted(features)),
    sharingMost: (features, count) => sorted(features).slice(0, count),
    twinsOf,
  }
}

function kmersOfEach(targets: TrainingTargets, kmers: Uint32Array): Uint32Array[] {
  let end = 0
  return targets.map((target) => {
    const start = end
    end += target.words
    return kmers.subarray(start, end)
  })
}

function firstOfEachName(sorted: NearTarget[]): NearTarget[] {
  const shown = new Map<string, NearTarget>()
  for (const target of sorted) {
    if (shown.size === NEIGHBOURS_SHOWN) break
    if (!shown.has(target.name)) shown.set(target.name, target)
  }
  return [...shown.values()]
}

/** Containment of k-mer sets: sequences with 97% identity share about 0.97 to the fourth power. */
const TWIN_CONTAINMENT = 0.88
/** Relative to the longer set, so that a domain of a long protein is not a twin of its other domains. */
const TWIN_LENGTH_MIN = 0.5

function areTwins(shared: number, kmersA: number, kmersB: number): boolean {
  const isAsLong = Math.min(kmersA, kmersB) >= TWIN_LENGTH_MIN * Math.max(kmersA, kmersB)
  return isAsLong && kmerContainment(shared, kmersA, kmersB) >= TWIN_CONTAINMENT
}
