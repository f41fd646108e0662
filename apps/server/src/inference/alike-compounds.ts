/** Which training compounds are most like a compound, and what was measured of them: for people to look at, not for the number. */
import { join } from 'node:path'
import { similarityOf } from './fingerprints.ts'
import { BELOW_BY, readLabel } from './measured-compounds.ts'
import { readTrainingTargets } from './nearest-targets.ts'
import { readNumbers } from './read-numbers.ts'

export type AlikeCompound = {
  /** Its row of the fingerprints. */
  row: number
  /** Tanimoto. */
  similarity: number
  labels: AlikeLabel[]
}

type AlikeLabel = {
  /** Its place in the file of labels. */
  place: number
  target: string
  /** In pK; where `isUpperBound`, it lies below. */
  pk: number
  isUpperBound: boolean
}

export type AlikeCompounds = {
  /** Measured on the training targets at these places; most alike first. */
  onTargets(fingerprint: Uint32Array, places: number[], most: number): AlikeCompound[]
  /** Measured on any. */
  anywhere(fingerprint: Uint32Array, most: number): AlikeCompound[]
}

export function openAlikeCompounds(directory: string): AlikeCompounds {
  const fingerprints = readNumbers(join(directory, 'compound-fingerprints.bin.gz'))
  const packed = readNumbers(join(directory, 'measured.bin.gz'))
  const targets = readTrainingTargets(join(directory, 'targets.json'))
  const starts = startsOf(targets.map(({ measured }) => measured))

  function labelAt(place: number, target: number): AlikeLabel {
    const { value, isBelow } = readLabel(packed[place] ?? 0)
    const pk = Number((isBelow ? value + BELOW_BY : value).toFixed(2))
    return { place, target: targets[target]?.name ?? '', pk, isUpperBound: isBelow }
  }

  function labelsOn(places: Iterable<number>): LabelAt[] {
    return [...places].flatMap((target) =>
      Array.from({ length: targets[target]?.measured ?? 0 }, (_, place) => ({
        place: (starts[target] ?? 0) + place,
        target,
      })),
    )
  }

  function mostAlike(fingerprint: Uint32Array, rows: Iterable<number>, most: number): Ranked[] {
    const ranked = Array.from(new Set(rows), (row) => {
      return { row, similarity: similarityOf(fingerprint, fingerprints, row) }
    })
    return ranked.toSorted((a, b) => b.similarity - a.similarity || a.row - b.row).slice(0, most)
  }

  function withLabels(ranked: Ranked[], candidates: LabelAt[]): AlikeCompound[] {
    const found = new Map(
      ranked.map((one) => [one.row, { ...one, labels: new Array<AlikeLabel>() }]),
    )
    for (const { place, target } of candidates) {
      found.get(readLabel(packed[place] ?? 0).row)?.labels.push(labelAt(place, target))
    }
    return [...found.values()]
  }

  function find(fingerprint: Uint32Array, places: Iterable<number>, most: number): AlikeCompound[] {
    const candidates = labelsOn(places)
    const rows = candidates.map(({ place }) => readLabel(packed[place] ?? 0).row)
    return withLabels(mostAlike(fingerprint, rows, most), candidates)
  }

  return {
    onTargets: find,
    anywhere: (fingerprint, most) => find(fingerprint, targets.keys(), most),
  }
}

/** A label by its place in the file, and its target. */
type LabelAt = { place: number; target: number }
type Ranked = { row: number; similarity: number }

/** Where the labels of each target begin, and where the last ones end. */
function startsOf(counts: number[]): number[] {
  let total = 0
  return [0, ...counts.map((count) => (total += count))]
}
