/**
 * Training targets related to an uploaded chain, down to about 40% identity: a filter by shared k-mers, then local
 * alignment. Entries with one sequence are merged.
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
  /** By k-mers, as in the model. */
  similarity: number
  /** Fraction of identical aligned residues; null if no alignment is better than chance. */
  identityPercent: number | null
  /** Number of values on it and its twins. */
  measurements: number
  /** Indices of it and its twins among the training targets. */
  places: number[]
}

/** Number aligned, by most shared k-mers; a relative of 40% identity shares one k-mer in forty. */
const ALIGNED_MAX = 8
const SHOWN = 3
/** Maximum E-value over all training targets. */
const CHANCE_MAX = 1e-3
/** Shorter alignments say little about the fold, however similar. */
const ALIGNED_RESIDUES_MIN = 30
/** `sequences`: of the training targets, in order; null if the model folder has none. */
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

/** Above this similarity the k-mers identify the target, mutants included. */
const NEAR = 0.93

/** Adds the alignment if it is better than chance. */
type Candidate = NearTarget & { found: Alignment | null }

/** Closest first: those distinguished by k-mers in the model's order, the others by alignment. */
function byKinship(one: Candidate, other: Candidate): number {
  const [isNear, isOtherNear] = [one.similarity > NEAR, other.similarity > NEAR]
  if (isNear !== isOtherNear) return isNear ? -1 : 1
  const byScore = isNear ? 0 : (other.found?.score ?? 0) - (one.found?.score ?? 0)
  return byScore || other.similarity - one.similarity || other.measured - one.measured
}

/** The first per name, and per sequence. */
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
