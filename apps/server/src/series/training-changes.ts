/** The effect of each change of a group on pK in training data; written by `training/export/matched-pairs.ts`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { kmerContainment, targetFeatures } from '@pkdex/biochem'
import { z } from 'zod'

type Sums = { pairs: number; mean: number; spread: number }
type TrainingChange = Sums & { assays: number }

export type TrainingChanges = {
  find(from: string, to: string): TrainingChange | null
  findOnTarget(from: string, to: string, target: number): Sums | null
  /** The training target that a chain belongs to, mutants and constructs included. */
  findTarget(segments: string[]): { place: number; name: string } | null
}

const Head = z.object({ targets: z.array(z.object({ name: z.string(), sequence: z.string() })) })

/** Pairs of a training target are shown for a chain with at least this similarity to it. */
const SAME_TARGET_FROM = 0.9

export function openTrainingChanges(directory: string): TrainingChanges {
  const packed = readFileSync(join(directory, 'matched-pairs.tsv.gz'))
  const [head = '', ...lines] = gunzipSync(packed).toString('utf8').trimEnd().split('\n')
  const { targets } = Head.parse(JSON.parse(head))
  const changes = new Map(
    lines.map((line) => {
      const [from = '', to = '', ...numbers] = line.split('\t')
      return [`${from} ${to}`, numbers]
    }),
  )
  return {
    find(from, to) {
      const numbers = changes.get(`${from} ${to}`)
      if (numbers === undefined) return null
      const [pairs = 0, assays = 0, mean = 0, spread = 0] = numbers.slice(0, 4).map(Number)
      return { pairs, assays, mean, spread }
    },
    findOnTarget(from, to, target) {
      const of = changes.get(`${from} ${to}`)?.[4]?.split(' ') ?? []
      const found = of.find((one) => one.startsWith(`${target}:`))
      if (found === undefined) return null
      const [pairs = 0, mean = 0, spread = 0] = found.split(':').slice(1).map(Number)
      return { pairs, mean, spread }
    },
    findTarget(segments) {
      const features = new Set(targetFeatures(segments).identity)
      const near = targets.map(({ name, sequence }, place) => {
        const words = targetFeatures([sequence]).identity
        const shared = words.filter((word) => features.has(word)).length
        return { place, name, similarity: kmerContainment(shared, features.size, words.length) }
      })
      const [first] = near.toSorted((one, other) => other.similarity - one.similarity)
      return first !== undefined && first.similarity >= SAME_TARGET_FROM ? first : null
    },
  }
}
