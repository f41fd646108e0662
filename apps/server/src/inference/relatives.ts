/**
 * Training targets that an uploaded chain is related to, seen down to some 40% identity: a filter by shared k-mers
 * first, then local alignment of what is left. Entries of one sequence are taken together.
 */
import type { TargetFeatures } from '@pkdex/biochem'
import {
  type Alignment,
  alignLocally,
  encodeSequence,
  expectedByChance,
} from './local-alignment.ts'
import type { NearTarget, TargetNeighbours } from './nearest-targets.ts'

export type Relative = {
  name: string
  /** By k-mers, as the model sees it. */
  similarity: number
  /** Identical residues among those aligned; null where there is no alignment that chance would not find as well. */
  identityPercent: number | null
  /** Values on it and on its twins. */
  measurements: number
  /** Places of it and of its twins in the list of training targets. */
  places: number[]
}

/** Aligned, of those that share most k-mers; a relative of 40% identity shares one k-mer in forty. */
const ALIGNED_MAX = 8
const SHOWN = 3
/** Of alignments that chance would find in all training targets. */
const CHANCE_MAX = 1e-3
/** Shorter ones say little of a fold, however alike. */
const ALIGNED_RESIDUES_MIN = 30
/** `sequences`: of the training targets, in order; null where the model folder holds none. */
export function findRelatives(
  targets: TargetNeighbours,
  sequences: string[] | null,
  { segments, features }: { segments: string[]; features: TargetFeatures },
): Relative[] {
  const query = encodeSequence(segments.join(''))
  const residues = sequences?.reduce((sum, { length }) => sum + length, 0) ?? 0
  const candidates = targets.sharingMost(features, ALIGNED_MAX).map((target) => {
    const sequence = sequences?.[target.place]
    const found = sequence === undefined ? null : alignLocally(query, encodeSequence(sequence))
    const isRelated =
      found !== null &&
      found.aligned >= ALIGNED_RESIDUES_MIN &&
      expectedByChance(found.score, query.length, residues) <= CHANCE_MAX
    return { ...target, found: isRelated ? found : null }
  })
  return firstOfEach(targets, candidates.toSorted(byKinship))
}

/** Above this similarity the k-mers say which target it is, mutants and all. */
const NEAR = 0.93

/** With its alignment, where that is more than chance. */
type Candidate = NearTarget & { found: Alignment | null }

/** Nearest first: those that the k-mers tell apart in the model's own order, the others by how well they are aligned. */
function byKinship(one: Candidate, other: Candidate): number {
  const [isNear, isOtherNear] = [one.similarity > NEAR, other.similarity > NEAR]
  if (isNear !== isOtherNear) return isNear ? -1 : 1
  const byScore = isNear ? 0 : (other.found?.score ?? 0) - (one.found?.score ?? 0)
  return byScore || other.similarity - one.similarity || other.measured - one.measured
}

/** The first of each name, and of each sequence. */
function firstOfEach(targets: TargetNeighbours, sorted: Candidate[]): Relative[] {
  const shown: Relative[] = []
  for (const { name, similarity, place, found } of sorted) {
    if (shown.length === SHOWN) break
    if (shown.some((one) => one.name === name || one.places.includes(place))) continue
    const twins = targets.twinsOf(place)
    shown.push({
      name,
      similarity,
      identityPercent: found && Math.round((1000 * found.identical) / found.aligned) / 10,
      measurements: twins.reduce((sum, { measured }) => sum + measured, 0),
      places: twins.map((twin) => twin.place),
    })
  }
  return shown
}
