/** Which training targets an uploaded chain resembles most, by the k-mers they share. */
import { readFileSync } from 'node:fs'
import { kmerContainment, type TargetFeatures } from '@pkdex/biochem'
import { z } from 'zod'
import { invertSets } from './inverted-index.ts'

export type NearTarget = {
  name: string
  similarity: number
  /** Its place in the list of training targets. */
  place: number
  /** How many compounds were measured on it. */
  measured: number
}

export type TargetNeighbours = {
  /** The most similar training targets with different names, nearest first; among equals the most measured. */
  nearest(features: TargetFeatures): NearTarget[]
  /** So many of the most similar ones, whatever their names, in the same order. */
  sharingMost(features: TargetFeatures, count: number): NearTarget[]
  /** Places of the entries of the same sequence, or nearly, itself among them, and how much was measured on each. */
  twinsOf(place: number): { place: number; measured: number }[]
}

const NEIGHBOURS_SHOWN = 3

const TrainingTargets = z.array(
  /** `words`: how many k-mers it has. */
  z.object({ name: z.string(), words: z.number(), measured: z.number() }),
)
export type TrainingTargets = z.infer<typeof TrainingTargets>

export function readTrainingTargets(file: string): TrainingTargets {
  return TrainingTargets.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** `kmers`: those that identify the targets, one target behind the other. */
export function indexTargets(targets: TrainingTargets, kmers: Uint32Array): TargetNeighbours {
  const sets = kmersOfEach(targets, kmers)
  const index = invertSets(sets)

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

  return {
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

/** Of a k-mer set: sequences that are 97% identical share about 0.97 to the fourth. */
const TWIN_CONTAINMENT = 0.88
/** Of the longer set, so that a domain of a long protein is no twin of its other domains. */
const TWIN_LENGTH_MIN = 0.5

function areTwins(shared: number, kmersA: number, kmersB: number): boolean {
  const isAsLong = Math.min(kmersA, kmersB) >= TWIN_LENGTH_MIN * Math.max(kmersA, kmersB)
  return isAsLong && kmerContainment(shared, kmersA, kmersB) >= TWIN_CONTAINMENT
}
