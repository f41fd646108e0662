/**
 * Helices and strands of a chain of which only alpha carbons are known, from distances along the chain
 * (values after P-SEA, Labesse 1997) and, for strands, a neighbour strand beside them.
 */
import type { BackboneResidue } from '../trace/backbone.ts'
import type { SecondaryKind } from './secondary-kind.ts'
import { buildSpatialGrid, visitNear, type SpatialGrid } from '../trace/spatial-grid.ts'
import { distance, squaredDistance, type Vector } from '../trace/vector.ts'

const STRAND_PARTNER_MAX = 6
const PER_CELL_MAX = 16

type Anchors = readonly (Vector | null)[]

export function secondaryFromAlphaCarbons(residues: readonly BackboneResidue[]): SecondaryKind[] {
  const anchors = residues.map((residue) => residue.anchor)
  const guesses = residues.map((_, index) => guessKind(residues, index))
  const extended = anchors.map((anchor, index) => (guesses[index] === 'strand' ? anchor : null))
  const grid = buildSpatialGrid(extended, {
    cellSize: STRAND_PARTNER_MAX,
    perCellMax: PER_CELL_MAX,
  })
  const kinds = guesses.map((guess, index) =>
    guess === 'strand' && !hasPartner(grid, extended, index) ? 'coil' : guess,
  )
  return widenHelices(kinds, residues)
}

/** Looks at the residue, the one before and the two after it. */
function guessKind(residues: readonly BackboneResidue[], index: number): SecondaryKind {
  const isWhole = [0, 1, 2].every((step) => residues[index + step]?.joined)
  const [a, b, c, d] = [-1, 0, 1, 2].map((step) => residues[index + step]?.anchor)
  if (!isWhole || !a || !b || !c || !d) return 'coil'
  const two = (distance(a, c) + distance(b, d)) / 2
  const three = distance(a, d)
  if (isAbout(two, 5.5, 0.6) && isAbout(three, 5.2, 1.1)) return 'helix'
  return isAbout(two, 6.6, 0.75) && isAbout(three, 10, 1.5) ? 'strand' : 'coil'
}

function isAbout(value: number, wanted: number, tolerance: number): boolean {
  return Math.abs(value - wanted) < tolerance
}

function hasPartner(grid: SpatialGrid, extended: Anchors, index: number): boolean {
  const here = extended[index]
  if (!here) return false
  let found = false
  visitNear(grid, here, (other) => {
    const there = extended[other]
    if (!there || Math.abs(other - index) < 4) return
    if (squaredDistance(here, there) < STRAND_PARTNER_MAX ** 2) found = true
  })
  return found
}

/** The test window starts one residue late and ends two early: give those back to the helix. */
function widenHelices(kinds: SecondaryKind[], residues: readonly BackboneResidue[]) {
  return kinds.map((kind, index) => {
    if (kind === 'helix' || !residues[index]?.joined) return kind
    return kinds[index - 1] === 'helix' ? 'helix' : kind
  })
}
