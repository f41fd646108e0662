/** Which training targets an uploaded chain resembles most, by the identity words they share. */
import { readFileSync } from 'node:fs'
import { wordContainment, type TargetFeatures } from '@pkdex/biochem'
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
}

const NEIGHBOURS_SHOWN = 3

const TrainingTargets = z.array(
  z.object({ name: z.string(), words: z.number(), measured: z.number() }),
)
export type TrainingTargets = z.infer<typeof TrainingTargets>

export function readTrainingTargets(file: string): TrainingTargets {
  return TrainingTargets.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** `words`: the identity words of all targets, one target behind the other. */
export function indexTargets(targets: TrainingTargets, words: Uint32Array): TargetNeighbours {
  const index = invertSets(wordsOfEach(targets, words))

  function nearest(features: TargetFeatures): NearTarget[] {
    const shared = index.countShared(features.identity)
    const all = targets.map(({ name, words: count, measured }, place) => ({
      name,
      similarity: wordContainment(shared[place] ?? 0, features.identity.length, count),
      place,
      measured,
    }))
    return firstOfEachName(
      all.toSorted((a, b) => b.similarity - a.similarity || b.measured - a.measured),
    )
  }

  return { nearest }
}

function wordsOfEach(targets: TrainingTargets, words: Uint32Array): Uint32Array[] {
  let end = 0
  return targets.map((target) => {
    const start = end
    end += target.words
    return words.subarray(start, end)
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
