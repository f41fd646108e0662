/** How a structure is drawn: rainbow or hues, ions by name, small peptides atom by atom. */
import { expect, test } from 'vitest'
import type { Structure } from '@pkdex/biochem'
import {
  helixPlaces,
  madeChain,
  madeLigand,
  madeStructure,
  placesOf,
} from './fixtures/made-structures.ts'
import { traceSegments } from './trace.ts'
import { buildScene } from './build-scene.ts'
import { palettes } from './palette.ts'

const palette = palettes.light

test('colours a single chain as a rainbow, from blue to red', () => {
  const colours = coloursOf(madeStructure([madeChain(helixPlaces(40))]))
  expect(isBlue(colours.at(0))).toBe(true)
  expect(isBlue(colours.at(-1))).toBe(false)
})

test('gives each of several chains its own hue', () => {
  const second = madeChain(
    helixPlaces(40).map(([x, y, z]) => [x + 20, y, z]),
    'B',
  )
  const colours = coloursOf(madeStructure([madeChain(helixPlaces(40)), second]))
  const half = colours.length / 2
  expect(colours.slice(0, half).every(isBlue)).toBe(true)
  expect(colours.slice(half).some(isBlue)).toBe(false)
})

test('draws a single ion in the colour of its name, though its element field reads as nitrogen', () => {
  const sodium = madeLigand([[0, 0, 0]], 'NA')
  sodium.atoms = [{ name: 'NA', element: 'N', x: 0, y: 0, z: 0 }]
  const [ball] = sceneOf(madeStructure([], [sodium])).balls
  expect(ball?.colour).toBe(palette.elements['NA'])
})

test('omits hydrogens', () => {
  const ligand = madeLigand(placesOf(4, (index) => [1.2 * index, 0, 0]))
  const atoms = ligand.atoms.map((atom, index) => ({ ...atom, element: index > 1 ? 'H' : 'C' }))
  expect(sceneOf(madeStructure([], [{ ...ligand, atoms }])).balls.length).toBe(2)
})

test('shows a small peptide atom by atom, and a long chain as a ribbon', () => {
  const withSides = (count: number) => {
    const chain = madeChain(helixPlaces(count))
    for (const residue of chain.residues) {
      const [anchor] = residue.atoms
      if (anchor) residue.atoms.push({ ...anchor, name: 'CB', z: anchor.z + 1.5 })
    }
    return madeStructure([chain])
  }
  expect(sceneOf(withSides(10)).balls.length).toBe(20)
  expect(sceneOf(withSides(60)).balls.length).toBe(0)
})

function sceneOf(structure: Structure) {
  const detail = { tube: 0.3, stationsPerResidue: 4, stepsPerCorner: 2 }
  return buildScene(structure, traceSegments(structure), palette, detail)
}

/** The colours of the ribbon, vertex by vertex along the chains. */
function coloursOf(structure: Structure): number[] {
  const { mesh } = sceneOf(structure)
  return Array.from(mesh.colours.slice(0, mesh.vertexCount))
}

function isBlue(colour = 0): boolean {
  return (colour & 255) > colour >> 16
}
