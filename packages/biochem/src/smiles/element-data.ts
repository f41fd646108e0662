/** RDKit's figures of the elements that drugs consist of, under its BSD licence. */
import type { MoleculeGraph } from './molecule-graph.ts'

/** `weight`: g/mol; `valence`: bonds of the neutral atom; `radius`: covalent, Å. */
export type ElementData = {
  weight: number
  outerElectrons: number
  valence: number
  radius: number
}

export const HYDROGEN = { weight: 1.008, radius: 0.33 }
export const CARBON_RADIUS = 0.77

/** Atomic number, weight, outer electrons, valence, radius. */
const elements = new Map<number, ElementData>(
  (
    [
      [5, 10.812, 3, 3, 0.82],
      [6, 12.011, 4, 4, CARBON_RADIUS],
      [7, 14.007, 5, 3, 0.7],
      [8, 15.999, 6, 2, 0.66],
      [9, 18.998, 7, 1, 0.611],
      [14, 28.086, 4, 4, 0.937],
      [15, 30.974, 5, 3, 0.89],
      [16, 32.067, 6, 2, 1.04],
      [17, 35.453, 7, 1, 0.997],
      [34, 78.96, 6, 2, 1.17],
      [35, 79.904, 7, 1, 1.167],
      [53, 126.904, 7, 1, 1.387],
    ] as const
  ).map(([element, weight, outerElectrons, valence, radius]) => [
    element,
    { weight, outerElectrons, valence, radius },
  ]),
)

/**
 * By atom. Null for a molecule that is left to RDKit: one with another element, a radical, an isotope or a hydrogen drawn as
 * an atom.
 */
export function readElements({ atoms }: MoleculeGraph): ElementData[] | null {
  const data = atoms.flatMap(({ element, unpaired, isotope }) => {
    const known = unpaired > 0 || isotope > 0 ? undefined : elements.get(element)
    return known ?? []
  })
  return data.length === atoms.length ? data : null
}
