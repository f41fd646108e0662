/**
 * The training compounds most similar to a compound, and their measured values: for display, not for the prediction.
 */
import { join } from 'node:path'
import { shownPk } from './applicability-domain.ts'
import { similarityOf } from './fingerprints.ts'
import { readLabel } from './measured-compounds.ts'
import { readTrainingTargets } from './nearest-targets.ts'
import { readNumbers } from './read-numbers.ts'

export type SimilarCompound = {
  /** Row of its fingerprint. */
  row: number
  /** Tanimoto. */
  similarity: number
  labels: SimilarLabel[]
}

type SimilarLabel = {
  /** Index in the file of labels. */
  place: number
  target: string
  /** In pK; if `isUpperBound`, the true value is lower. */
  pk: number
  isUpperBound: boolean
}

export type SimilarCompounds = {
  /** Measured on the training targets with these indices; most similar first. */
  onTargets(fingerprint: Uint32Array, places: number[], most: number): SimilarCompound[]
  /** Measured on any target. */
  anywhere(fingerprint: Uint32Array, most: number): SimilarCompound[]
}

export function openSimilarCompounds(directory: string): SimilarCompounds {
  const fingerprints = readNumbers(join(directory, 'compound-fingerprints.bin.gz'))
  const packed = readNumbers(join(directory, 'measured.bin.gz'))
  const targets = readTrainingTargets(join(directory, 'targets.json'))
  const starts = startsOf(targets.map(({ measured }) => measured))

  function labelAt(place: number, target: number): SimilarLabel {
    const { value, isBelow } = readLabel(packed[place] ?? 0)
    const name = targets[target]?.name ?? ''
    return { place, target: name, pk: shownPk(value, isBelow), isUpperBound: isBelow }
  }

  function labelsOn(places: Iterable<number>): LabelAt[] {
    return [...places].flatMap((target) =>
      Array.from({ length: targets[target]?.measured ?? 0 }, (_, place) => ({
        place: (starts[target] ?? 0) + place,
        target,
      })),
    )
  }

  function mostSimilar(fingerprint: Uint32Array, rows: Iterable<number>, most: number): Ranked[] {
    const ranked = Array.from(new Set(rows), (row) => {
      return { row, similarity: similarityOf(fingerprint, fingerprints, row) }
    })
    return ranked.toSorted((a, b) => b.similarity - a.similarity || a.row - b.row).slice(0, most)
  }

  function withLabels(ranked: Ranked[], candidates: LabelAt[]): SimilarCompound[] {
    const found = new Map(
      ranked.map((one) => [one.row, { ...one, labels: new Array<SimilarLabel>() }]),
    )
    for (const { place, target } of candidates) {
      found.get(readLabel(packed[place] ?? 0).row)?.labels.push(labelAt(place, target))
    }
    return [...found.values()]
  }

  function find(
    fingerprint: Uint32Array,
    places: Iterable<number>,
    most: number,
  ): SimilarCompound[] {
    const candidates = labelsOn(places)
    const rows = candidates.map(({ place }) => readLabel(packed[place] ?? 0).row)
    return withLabels(mostSimilar(fingerprint, rows, most), candidates)
  }

  return {
    onTargets: find,
    anywhere: (fingerprint, most) => find(fingerprint, targets.keys(), most),
  }
}

/** A label by its index in the file, and its target. */
type LabelAt = { place: number; target: number }
type Ranked = { row: number; similarity: number }

/** Start of each target's labels, and the end of the last. */
function startsOf(counts: number[]): number[] {
  let total = 0
  return [0, ...counts.map((count) => (total += count))]
}
