/**
 * The training compounds most similar to a compound, and their measured values: for display, not for the prediction.
 */
import { shownPk } from './applicability-domain.ts'
import { similarityOf } from './fingerprints.ts'
import { insertSorted } from './insert-sorted.ts'
import { readLabel } from './measured-compounds.ts'
import type { TrainingData } from './training-data.ts'

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
  /** The compounds with the labels at these places alone, in this order. */
  withLabels(fingerprint: Uint32Array, places: number[]): SimilarCompound[]
}

export function openSimilarCompounds({
  files: { fingerprints, packed },
  entries: targets,
  measured,
}: TrainingData): SimilarCompounds {
  const starts = startsOf(targets.map(({ measured }) => measured))

  function labelAt(place: number, target: number): SimilarLabel {
    const { value, isBelow } = readLabel(packed[place] ?? 0)
    const name = targets[target]?.name ?? ''
    return { place, target: name, pk: shownPk(value, isBelow), isUpperBound: isBelow }
  }

  /** Calls back with each label on the targets, and its compound. */
  function forEachLabel(
    places: Iterable<number>,
    visit: (place: number, row: number, target: number) => void,
  ): void {
    for (const target of places) {
      const end = starts[target + 1] ?? 0
      for (let place = starts[target] ?? 0; place < end; place += 1) {
        visit(place, readLabel(packed[place] ?? 0).row, target)
      }
    }
  }

  function find(fingerprint: Uint32Array, places: number[], most: number): SimilarCompound[] {
    const rows = new Set<number>()
    forEachLabel(places, (_place, row) => rows.add(row))
    const near: SimilarCompound[] = []
    // In the order of rows, because the first of equally similar compounds counts.
    for (const row of Uint32Array.from(rows).sort()) {
      const similarity = similarityOf(fingerprint, fingerprints, row)
      const last = near.length === most ? (near[most - 1]?.similarity ?? 0) : -1
      if (similarity <= last) continue
      const one = { row, similarity, labels: [] }
      insertSorted(near, one, most, (kept) => kept.similarity >= similarity)
    }
    const shown = new Map(near.map((one) => [one.row, one]))
    forEachLabel(places, (place, row, target) =>
      shown.get(row)?.labels.push(labelAt(place, target)),
    )
    return near
  }

  function withLabels(fingerprint: Uint32Array, places: number[]): SimilarCompound[] {
    const found = new Map<number, SimilarCompound>()
    for (const place of places) {
      const { row } = readLabel(packed[place] ?? 0)
      const similarity = similarityOf(fingerprint, fingerprints, row)
      const one = found.get(row) ?? { row, similarity, labels: [] }
      one.labels.push(labelAt(place, measured.targetOf(place)))
      found.set(row, one)
    }
    return [...found.values()]
  }

  return {
    withLabels,
    onTargets: find,
    anywhere: (fingerprint, most) => find(fingerprint, [...targets.keys()], most),
  }
}

/** Start of each target's labels, and the end of the last. */
function startsOf(counts: number[]): number[] {
  let total = 0
  return [0, ...counts.map((count) => (total += count))]
}
