/**
 * What the model sees of a target: the words of its observed segments, whatever their length.
 * An uploaded chain is a construct with gaps, so words never bridge two segments.
 */
import { exactWordCount, featureSpec } from './feature-spec.ts'

export type TargetFeatures = {
  /** Residues of the standard 20, in all segments. */
  length: number
  /** Share of each of the 20 letters, in the order of the spec. */
  composition: Float32Array
  /** Numbers of the words that occur: exact words first, reduced words behind them; ascending. */
  words: Uint16Array
  /** How often each of `words` occurs. */
  counts: Uint16Array
  /** The set of identity words, ascending. */
  identity: Uint32Array
}

const { letters, classes, exactWordLength, reducedWordLength, identityWordLength } =
  featureSpec.target

const exactAlphabet = alphabet(letters.split(''))
const reducedAlphabet = alphabet(classes)

export function targetFeatures(segments: string[]): TargetFeatures {
  const exact = countWords(segments, exactAlphabet, exactWordLength)
  const reduced = countWords(segments, reducedAlphabet, reducedWordLength)
  const words = [...sorted(exact), ...sorted(reduced).map(shiftReduced)]
  const { length, composition } = compose(segments)
  return {
    length,
    composition,
    words: Uint16Array.from(words, ([word]) => word),
    counts: Uint16Array.from(words, ([, count]) => Math.min(count, 65_535)),
    identity: Uint32Array.from(
      sorted(countWords(segments, exactAlphabet, identityWordLength)),
      ([word]) => word,
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

function countWords(segments: string[], { size, codes }: Alphabet, wordLength: number) {
  const counts = new Map<number, number>()
  const words = size ** wordLength
  for (const segment of segments) {
    let known = 0
    let word = 0
    for (const letter of segment) {
      const code = codes.get(letter)
      known = code === undefined ? 0 : known + 1
      word = (word * size + (code ?? 0)) % words
      if (known >= wordLength) counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

function sorted(counts: Map<number, number>): [number, number][] {
  return [...counts].toSorted(([a], [b]) => a - b)
}

function shiftReduced([word, count]: [number, number]): [number, number] {
  return [exactWordCount + word, count]
}

function compose(segments: string[]): { length: number; composition: Float32Array } {
  const composition = new Float32Array(letters.length)
  let length = 0
  for (const [code, count] of countWords(segments, exactAlphabet, 1)) {
    composition[code] = count
    length += count
  }
  return { length, composition: composition.map((count) => (length > 0 ? count / length : 0)) }
}
