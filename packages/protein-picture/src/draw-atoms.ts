/** Adds molecules atom by atom: balls and sticks, and larger balls for ions. Hydrogens are omitted. */
import type { Atom, Ligand } from '@pkdex/biochem'
import { place } from './backbone.ts'
import {
  type Vector,
  buildSpatialGrid,
  direction,
  distance,
  minus,
  mix,
  perpendicular,
  visitNear,
} from './geometry.ts'
import { elementColour } from './palette.ts'
import {
  type Detail,
  type Drawing,
  type Mesh,
  type RingOutline,
  addStrip,
  ringOutline,
} from './scene.ts'

/** Radii in Å. */
const ATOM = 0.48
const STICK = 0.25
const ION = 1

/** Beyond this, sticks could not be distinguished. */
const STICK_ATOMS_MAX = 5000

/** A ligand of one atom is an ion, a large ball; others are balls and sticks. */
export function drawLigands(drawing: Drawing, ligands: readonly Ligand[]): void {
  const groups = ligands.map((ligand) => ({ ...ligand, atoms: ligand.atoms.filter(isHeavy) }))
  drawAtoms(
    drawing,
    groups.flatMap(({ atoms }) => (atoms.length > 1 ? atoms : [])),
  )
  for (const { name, atoms } of groups) {
    const [ion] = atoms
    // In some files an ion's name is placed so that its element reads wrong: Na as nitrogen.
    const element = ion?.name === name ? name : ion?.element
    if (ion && element && atoms.length === 1) addBall(drawing, { ...ion, element }, ION)
  }
}

/** Balls for all atoms, and sticks if there are few enough to be distinguished. */
export function drawAtoms(drawing: Drawing, atoms: readonly Atom[]): void {
  const heavy = atoms.filter(isHeavy)
  const { scene, detail, palette } = drawing
  for (const atom of heavy) addBall(drawing, atom, ATOM)
  if (heavy.length > STICK_ATOMS_MAX) return
  const ends = heavy.map((atom) => ({
    place: place(atom),
    element: atom.element,
    colour: elementColour(palette, atom.element),
  }))
  const outline = ringOutline(detail.stepsPerCorner)
  for (const bond of findBonds(ends)) addStick(scene.mesh, bond, STICK * growth(detail), outline)
}

function isHeavy(atom: Atom): boolean {
  return atom.element !== 'H' && atom.element !== 'D'
}

function addBall({ scene, palette, detail }: Drawing, atom: Atom, radius: number): void {
  scene.balls.push({
    place: place(atom),
    radius: radius * growth(detail),
    colour: elementColour(palette, atom.element),
  })
}

/** Molecules grow with the ribbon, but less. */
function growth({ tube }: Detail): number {
  return Math.sqrt(Math.max(1, tube / 0.3))
}

// Bonds are found in linear time and modelled as sticks.

export type StickEnd = { place: Vector; colour: number }

type BondAtom = StickEnd & { element: string }

/** Covalent radii in Å (Cordero 2008); unlisted elements are treated as light atoms. */
const COVALENT_RADII: Readonly<Record<string, number>> = {
  C: 0.76,
  N: 0.71,
  O: 0.66,
  F: 0.57,
  P: 1.07,
  S: 1.05,
  CL: 1.02,
  BR: 1.2,
  I: 1.39,
  SE: 1.2,
  B: 0.84,
  SI: 1.11,
}
const OTHER_RADIUS = 1.3
const BOND_TOLERANCE = 0.4
/** The longest bond of two listed atoms; also the cell size for finding partners. */
const BOND_MAX = 3.1
const BOND_MIN = 0.6
/** Real molecules have fewer heavy atoms in a cell of this size. */
const PER_CELL_MAX = 16

/** Pairs of atoms close enough to be bonded. */
export function findBonds(atoms: readonly BondAtom[]): [BondAtom, BondAtom][] {
  const grid = buildSpatialGrid(
    atoms.map((atom) => atom.place),
    { cellSize: BOND_MAX, perCellMax: PER_CELL_MAX },
  )
  const bonds: [BondAtom, BondAtom][] = []
  for (const [index, atom] of atoms.entries()) {
    visitNear(grid, atom.place, (other) => {
      const partner = atoms[other]
      if (partner && other < index && isBonded(atom, partner)) bonds.push([partner, atom])
    })
  }
  return bonds
}

function isBonded(a: BondAtom, b: BondAtom): boolean {
  const reach = covalentRadius(a.element) + covalentRadius(b.element) + BOND_TOLERANCE
  const length = distance(a.place, b.place)
  return length > BOND_MIN && length < reach
}

function covalentRadius(element: string): number {
  return COVALENT_RADII[element] ?? OTHER_RADIUS
}

/** A stick between two positions, each half in the colour of its end. Open: a ball belongs at each end. */
export function addStick(
  mesh: Mesh,
  ends: readonly [StickEnd, StickEnd],
  radius: number,
  outline: RingOutline,
): void {
  const [from, to] = ends
  const tangent = direction(minus(to.place, from.place))
  if (tangent === null) return
  const side = perpendicular(tangent, [0.36, 0.48, 0.8])
  const shape = { width: radius, thickness: radius, corner: radius }
  const middle = mix(from.place, to.place, 0.5)
  const ring = (place: Vector, colour: number) =>
    ({ point: { place, tangent, side }, shape, facing: 0, colour }) as const
  addStrip(mesh, [ring(from.place, from.colour), ring(middle, from.colour)], outline)
  addStrip(mesh, [ring(middle, to.colour), ring(to.place, to.colour)], outline)
}
