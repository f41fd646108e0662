/** Exports targets of the tables to arrays: in full, as crystallised if known, and cut like constructs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureSpec, targetFeatures, type TargetFeatures } from '@pkdex/biochem'
import { cropSequence, seededRandom } from './crop-sequence.ts'
import { offsetsOf, writeArray } from './write-array.ts'

export type NamedSequence = { id: string; name: string; sequence: string }
/** By target id: the observed segments of each of its chains. */
export type CrystallisedChains = Map<string, string[][]>

/** Variant 0 of a target is its full sequence; its crystallised chains follow, then cuts. */
export const VARIANTS = 8
const SEED = 20_261

export function exportTargets(
  out: string,
  targets: NamedSequence[],
  crystallised: CrystallisedChains = new Map(),
): void {
  const random = seededRandom(SEED)
  const features = targets.flatMap(({ id, sequence }) => {
    const cuts = Array.from({ length: VARIANTS - 1 }, () => cropSequence(sequence, random))
    const shown = [[sequence], ...(crystallised.get(id) ?? []), ...cuts]
    return shown.slice(0, VARIANTS).map(targetFeatures)
  })
  writeFileSync(
    join(out, 'targets.tsv'),
    `id\tname\tsequence\n${targets.map(({ id, name, sequence }) => `${id}\t${name}\t${sequence}\n`).join('')}`,
  )
  writeFeatures(out, features)
}

function writeFeatures(out: string, features: TargetFeatures[]): void {
  const kmers = features.map((target) => target.kmers)
  const identity = features.map((target) => target.identity)
  writeArray(join(out, 'target-offsets.npy'), [offsetsOf(kmers)])
  writeArray(join(out, 'target-words.npy'), kmers)
  writeArray(
    join(out, 'target-counts.npy'),
    features.map((target) => target.counts),
  )
  writeArray(
    join(out, 'target-composition.npy'),
    features.map((target) => target.composition),
    featureSpec.target.letters.length,
  )
  writeArray(join(out, 'target-lengths.npy'), [
    Int32Array.from(features, (target) => target.length),
  ])
  writeArray(join(out, 'target-identity-offsets.npy'), [offsetsOf(identity)])
  writeArray(join(out, 'target-identity.npy'), identity)
}
