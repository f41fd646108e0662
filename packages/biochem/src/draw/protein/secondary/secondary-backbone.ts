/** Helices and strands from backbone hydrogen bonds, by the turns and bridges of DSSP. */
import type { BackboneResidue } from '../trace/backbone.ts'
import { findHydrogenBonds, type HydrogenBonds } from './hydrogen-bonds.ts'
import type { SecondaryKind } from './secondary-kind.ts'

type Bridge = { i: number; j: number; step: 1 | -1 }

export function secondaryFromBackbone(residues: readonly BackboneResidue[]): SecondaryKind[] {
  const bonds = findHydrogenBonds(residues)
  const stretch = stretchNumbers(residues)
  const kinds = residues.map((): SecondaryKind => 'coil')
  markStrands(kinds, ladderBridges(findBridges(bonds, stretch), residues.length))
  fillSingleHoles(kinds, stretch)
  markHelices(kinds, bonds, stretch)
  return kinds
}

/** Residues of one unbroken stretch share a number. */
function stretchNumbers(residues: readonly BackboneResidue[]): number[] {
  let number = 0
  return residues.map((residue) => (residue.joined ? number : ++number))
}

/** Two turns of the same size in a row make a helix: 4 residues an alpha, 3 a 3-10, 5 a pi helix. */
function markHelices(kinds: SecondaryKind[], bonds: HydrogenBonds, stretch: number[]): void {
  for (const size of [3, 5, 4]) {
    for (let i = 1; i + size < kinds.length; i++) {
      if (stretch[i - 1] !== stretch[i + size]) continue
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
function findBridges(bonds: HydrogenBonds, stretch: number[]): Bridge[] {
  const bridges: Bridge[] = []
  const add = (bridge: Bridge, isBonded: boolean) => {
    if (isBonded && mayPair(bridge, stretch)) bridges.push(bridge)
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

function mayPair({ i, j }: Bridge, stretch: number[]): boolean {
  return Math.abs(i - j) > 2 && hasNeighbours(i, stretch) && hasNeighbours(j, stretch)
}

function hasNeighbours(i: number, stretch: number[]): boolean {
  return stretch[i - 1] !== undefined && stretch[i - 1] === stretch[i + 1]
}

/** Bridges that another bridge of the same sense continues, with at most one residue between: no lone ones. */
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

function fillSingleHoles(kinds: SecondaryKind[], stretch: number[]): void {
  for (let i = 1; i + 1 < kinds.length; i++) {
    const isHole = kinds[i - 1] === 'strand' && kinds[i + 1] === 'strand'
    if (isHole && stretch[i - 1] === stretch[i + 1]) kinds[i] = 'strand'
  }
}
