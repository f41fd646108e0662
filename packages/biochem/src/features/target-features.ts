/**
 * The model's inputs for a target: k-mers of its observed segments, of any length. An uploaded chain is a construct
 * with gaps, so k-mers never bridge two segments.
 */
import { exactKmerCount, featureSpec } from './feature-spec.ts'

export type TargetFeatures = {
  /** Residues of the standard 20, in all segments. */
  length: number
  /** Share of each of the 20 letters, in the order of the spec. */
  composition: Float32Array
  /** Numbers of the k-mers that occur: exact ones first, then those of the reduced alphabet; ascending. */
  kmers: Uint16Array
  /** How often each of `kmers` occurs, at most 65,535. */
  counts: Uint16Array
  /** The set of identity k-mers, ascending. */
  identity: Uint32Array
}

const { letters, classes, exactWordLength, reducedWordLength, identityWordLength } =
  featureSpec.target

const exactAlphabet = alphabet(letters.split(''))
const reducedAlphabet = alphabet(classes)

/** `segments` as `chainSegments` gives them, in any letters; unknown ones break a k-mer. */
export function targetFeatures(segments: string[]): TargetFeatures {
  const exact = countKmers(segments, exactAlphabet, exactWordLength)
  const reduced = countKmers(segments, reducedAlphabet, reducedWordLength)
  const kmers = [...sorted(exact), ...sorted(reduced).map(shiftReduced)]
  const { length, composition } = compose(segments)
  return {
    length,
    composition,
    kmers: Uint16Array.from(kmers, ([kmer]) => kmer),
    counts: Uint16Array.from(kmers, ([, count]) => Math.min(count, 65_535)),
    identity: Uint32Array.from(
      sorted(countKmers(segments, exactAlphabet, identityWordLength)),
      ([kmer]) => kmer,
    ),
  }
}

type Alphabet = { size: number; codes: Map<string, number> }

function alphabet(groups: readonly string[]): Alphabet {
  const codes = new Map<string, number>()
  for (const [code, group] of groups.entries()) {
    for (const letter of group) codes.set(letter, code)
  }
  return { size: groups.length, codes }
}

function countKmers(segments: string[], { size, codes }: Alphabet, length: number) {
  const counts = new Map<number, number>()
  const kmers = size ** length
  for (const segment of segments) {
    let known = 0
    let kmer = 0
    for (const letter of segment) {
      const code = codes.get(letter)
      known = code === undefined ? 0 : known + 1
      kmer = (kmer * size + (code ?? 0)) % kmers
      if (known >= length) counts.set(kmer, (counts.get(kmer) ?? 0) + 1)
    }
  }
  return counts
}

function sorted(counts: Map<number, number>): [number, number][] {
  return [...counts].toSorted(([a], [b]) => a - b)
}

function shiftReduced([kmer, count]: [number, number]): [number, number] {
  return [exactKmerCount + kmer, count]
}

function compose(segments: string[]): { length: number; composition: Float32Array } {
  const composition = new Float32Array(letters.length)
  let length = 0
  for (const [code, count] of countKmers(segments, exactAlphabet, 1)) {
    composition[code] = count
    length += count
  }
  return { length, composition: composition.map((count) => (length > 0 ? count / length : 0)) }
}

// Similarity of two targets.

/** Below this number of k-mers a chain is too short for shared ones to mean a relationship. */
const identityKmersMin = 40

/**
 * Similarity of two targets: shared identity k-mers over those of the smaller set, so that a construct within a target
 * gets 1. Small sets are divided by a minimum instead: a short peptide is similar to nothing.
 */
export function kmerContainment(shared: number, kmersA: number, kmersB: number): number {
  return shared / Math.max(Math.min(kmersA, kmersB), identityKmersMin)
}
