/**
 * Finds helices and strands in coordinates: by the turns and bridges of DSSP (Kabsch and Sander 1983) if the backbone is
 * complete, by distances between alpha carbons (values after P-SEA, Labesse 1997) if there are only these.
 */
import type { BackboneResidue, SecondaryKind } from './backbone.ts'
import {
  type SpatialGrid,
  type Vector,
  buildSpatialGrid,
  distance,
  minus,
  plus,
  squaredDistance,
  times,
  visitNear,
} from './geometry.ts'

type Bridge = { i: number; j: number; step: 1 | -1 }

/** One kind per residue; needs N, C-alpha, C and O. */
export function secondaryFromBackbone(residues: readonly BackboneResidue[]): SecondaryKind[] {
  const bonds = findHydrogenBonds(residues)
  const segment = segmentNumbers(residues)
  const kinds = residues.map((): SecondaryKind => 'coil')
  markStrands(kinds, ladderBridges(findBridges(bonds, segment), residues.length))
  fillSingleHoles(kinds, segment)
  markHelices(kinds, bonds, segment)
  return kinds
}

/** Residues of one unbroken segment share a number. */
function segmentNumbers(residues: readonly BackboneResidue[]): number[] {
  let number = 0
  return residues.map((residue) => (residue.joined ? number : ++number))
}

/** Two consecutive turns of the same size form a helix: 4 residues an alpha, 3 a 3-10, 5 a pi helix. */
function markHelices(kinds: SecondaryKind[], bonds: HydrogenBonds, segment: number[]): void {
  for (const size of [3, 5, 4]) {
    for (let i = 1; i + size < kinds.length; i++) {
      if (segment[i - 1] !== segment[i + size]) continue
      if (isBond(bonds, i + size, i) && isBond(bonds, i + size - 1, i - 1)) {
        kinds.fill('helix', i, i + size)
      }
    }
  }
}

function isBond(bonds: HydrogenBonds, donor: number, acceptor: number): boolean {
  return bonds[donor]?.includes(acceptor) ?? false
}

/** Every bridge has a hydrogen bond from which its other bond is known, so one pass over bonds finds all. */
function findBridges(bonds: HydrogenBonds, segment: number[]): Bridge[] {
  const bridges: Bridge[] = []
  const add = (bridge: Bridge, isBonded: boolean) => {
    if (isBonded && mayPair(bridge, segment)) bridges.push(bridge)
  }
  for (const [donor, acceptors] of bonds.entries()) {
    for (const acceptor of acceptors) {
      add({ i: acceptor, j: donor, step: -1 }, isBond(bonds, acceptor, donor))
      add({ i: acceptor + 1, j: donor - 1, step: -1 }, isBond(bonds, acceptor + 2, donor - 2))
      add({ i: acceptor + 1, j: donor, step: 1 }, isBond(bonds, acceptor + 2, donor))
    }
  }
  return bridges
}

function mayPair({ i, j }: Bridge, segment: number[]): boolean {
  return Math.abs(i - j) > 2 && hasNeighbours(i, segment) && hasNeighbours(j, segment)
}

function hasNeighbours(i: number, segment: number[]): boolean {
  return segment[i - 1] !== undefined && segment[i - 1] === segment[i + 1]
}

/** Bridges continued by another bridge of the same direction, with at most one residue in between: no lone ones. */
function ladderBridges(bridges: Bridge[], count: number): Bridge[] {
  const key = (i: number, j: number, step: number) => (i * count + j) * 2 + (step + 1) / 2
  const known = new Set(bridges.flatMap(({ i, j, step }) => [key(i, j, step), key(j, i, step)]))
  return bridges.filter(({ i, j, step }) =>
    [1, 2, -1, -2].some((by) => known.has(key(i + by, j + by * step, step))),
  )
}

function markStrands(kinds: SecondaryKind[], bridges: Bridge[]): void {
  for (const { i, j } of bridges) {
    kinds[i] = 'strand'
    kinds[j] = 'strand'
  }
}

function fillSingleHoles(kinds: SecondaryKind[], segment: number[]): void {
  for (let i = 1; i + 1 < kinds.length; i++) {
    const isHole = kinds[i - 1] === 'strand' && kinds[i + 1] === 'strand'
    if (isHole && segment[i - 1] === segment[i + 1]) kinds[i] = 'strand'
  }
}

// Hydrogen bonds: the electrostatic energy of the C=O and N-H groups is below -0.5 kcal/mol. A
// donor keeps its two best acceptors, as in DSSP, so the result is never larger than the chain.

/** For each residue as donor of N-H: the residues whose C=O accepts, at most two. */
type HydrogenBonds = readonly (readonly number[])[]

/** In kcal/mol, and in kcal/mol times Å: the partial charges 0.42 and 0.20 of Kabsch and Sander. */
const ENERGY_MAX = -0.5
const ENERGY_FACTOR = 27.9
/** In Å between alpha carbons: groups farther apart have no bond. */
const ANCHOR_DISTANCE_MAX = 9
/** Real proteins have at most a dozen alpha carbons in a cell of 9 Å. */
const ANCHORS_PER_CELL_MAX = 24

type Bond = { acceptor: number; energy: number }

function findHydrogenBonds(residues: readonly BackboneResidue[]): HydrogenBonds {
  const anchors = residues.map((residue) => residue.anchor)
  const grid = buildSpatialGrid(anchors, {
    cellSize: ANCHOR_DISTANCE_MAX,
    perCellMax: ANCHORS_PER_CELL_MAX,
  })
  return residues.map((donor, index) => {
    const hydrogen = hydrogenOf(donor, residues[index - 1])
    if (hydrogen === null || donor.anchor === null || donor.n === null) return []
    const best: Bond[] = []
    const { anchor, n } = donor
    visitNear(grid, anchor, (acceptor) => {
      if (acceptor === index || acceptor === index - 1) return
      const energy = bondEnergy({ n, hydrogen, anchor }, residues[acceptor])
      if (energy < ENERGY_MAX) keepTwoBest(best, { acceptor, energy })
    })
    return best.map((bond) => bond.acceptor)
  })
}

/** The amide hydrogen lies 1 Å from N, against the direction of the C=O before it; proline has none. */
function hydrogenOf(donor: BackboneResidue, before: BackboneResidue | undefined): Vector | null {
  if (!donor.joined || donor.isProline || donor.n === null) return null
  if (!before?.c || !before.o) return null
  const length = distance(before.c, before.o)
  return length > 0.5 ? plus(donor.n, times(minus(before.c, before.o), 1 / length)) : null
}

function bondEnergy(
  donor: { n: Vector; hydrogen: Vector; anchor: Vector },
  acceptor: BackboneResidue | undefined,
): number {
  if (!acceptor?.anchor || !acceptor.c || !acceptor.o) return 0
  if (squaredDistance(donor.anchor, acceptor.anchor) > ANCHOR_DISTANCE_MAX ** 2) return 0
  const attraction = 1 / distance(acceptor.o, donor.hydrogen) + 1 / distance(acceptor.c, donor.n)
  const repulsion = 1 / distance(acceptor.o, donor.n) + 1 / distance(acceptor.c, donor.hydrogen)
  return ENERGY_FACTOR * (repulsion - attraction)
}

function keepTwoBest(best: Bond[], bond: Bond): void {
  best.push(bond)
  best.sort((a, b) => a.energy - b.energy)
  if (best.length > 2) best.pop()
}

// Alpha carbons only: distances along the chain and, for strands, a neighbouring strand.

const STRAND_PARTNER_MAX = 6
const STRAND_RESIDUES_PER_CELL_MAX = 16

type Anchors = readonly (Vector | null)[]

/** One kind per residue; needs only alpha carbons, and is coarser. */
export function secondaryFromAlphaCarbons(residues: readonly BackboneResidue[]): SecondaryKind[] {
  const anchors = residues.map((residue) => residue.anchor)
  const guesses = residues.map((_, index) => guessKind(residues, index))
  const extended = anchors.map((anchor, index) => (guesses[index] === 'strand' ? anchor : null))
  const grid = buildSpatialGrid(extended, {
    cellSize: STRAND_PARTNER_MAX,
    perCellMax: STRAND_RESIDUES_PER_CELL_MAX,
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
