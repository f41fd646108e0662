/** Adds molecules atom by atom: balls and sticks, and larger balls for ions. Hydrogens are left out. */
import type { Atom, Ligand } from '../../../pdb/structure.ts'
import { place } from '../trace/backbone.ts'
import type { Detail, Drawing } from './drawing.ts'
import { ringOutline } from './mesh.ts'
import { elementColour } from './palette.ts'
import { addStick, findBonds } from './sticks.ts'

/** Radii in Å. */
const ATOM = 0.48
const STICK = 0.25
const ION = 1

/** Past this, sticks would not be told apart. */
const STICK_ATOMS_MAX = 5000

export function drawLigands(drawing: Drawing, ligands: readonly Ligand[]): void {
  const groups = ligands.map((ligand) => ({ ...ligand, atoms: ligand.atoms.filter(isHeavy) }))
  drawAtoms(
    drawing,
    groups.flatMap(({ atoms }) => (atoms.length > 1 ? atoms : [])),
  )
  for (const { name, atoms } of groups) {
    const [ion] = atoms
    // Some files place the name of an ion so that its element reads wrong: Na as nitrogen.
    const element = ion?.name === name ? name : ion?.element
    if (ion && element && atoms.length === 1) addBall(drawing, { ...ion, element }, ION)
  }
}

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
