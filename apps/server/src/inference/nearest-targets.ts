/** Which training targets an uploaded chain resembles most, by the identity words they share. */
import { readFileSync } from 'node:fs'
import { wordContainment, type TargetFeatures } from '@pkdex/biochem'
import { z } from 'zod'
import { readWords } from './read-words.ts'

export type NamedSimilarity = { name: string; similarity: number }

export type TargetNeighbours = {
  /** The most similar training targets with different names, nearest first. */
  nearest(features: TargetFeatures): NamedSimilarity[]
}

const NEIGHBOURS_SHOWN = 3

const Listed = z.array(z.object({ name: z.string(), words: z.number() }))

export function openTargetNeighbours(listFile: string, wordsFile: string): TargetNeighbours {
  const targets = Listed.parse(JSON.parse(readFileSync(listFile, 'utf8')))
  const targetsOfWord = invert(targets, readWords(wordsFile))

  function nearest(features: TargetFeatures): NamedSimilarity[] {
    const shared = new Uint32Array(targets.length)
    for (const word of features.identity) {
      for (const index of targetsOfWord.get(word) ?? []) shared[index] = (shared[index] ?? 0) + 1
    }
    const all = targets.map(({ name, words }, index) => ({
      name,
      similarity: wordContainment(shared[index] ?? 0, features.identity.length, words),
    }))
    return firstOfEachName(all.toSorted((a, b) => b.similarity - a.similarity))
  }

  return { nearest }
}

function invert(targets: { words: number }[], words: Uint32Array): Map<number, number[]> {
  const targetsOfWord = new Map<number, number[]>()
  let at = 0
  for (const [index, target] of targets.entries()) {
    for (const word of words.subarray(at, at + target.words)) {
      const holders = targetsOfWord.get(word)
      if (holders === undefined) targetsOfWord.set(word, [index])
      else holders.push(index)
    }
    at += target.words
  }
  return targetsOfWord
}

function firstOfEachName(sorted: NamedSimilarity[]): NamedSimilarity[] {
  const shown = new Map<string, NamedSimilarity>()
  for (const target of sorted) {
    if (shown.size === NEIGHBOURS_SHOWN) break
    if (!shown.has(target.name)) shown.set(target.name, target)
  }
  return [...shown.values()]
}
