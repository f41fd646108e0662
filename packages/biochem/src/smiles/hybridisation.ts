/** RDKit's rules of conjugation and hybridisation. */
import type { ElementData } from './element-data.ts'
import type { MoleculeGraph, Neighbour } from './molecule-graph.ts'

export type Hybrid = 'sp' | 'sp2' | 'sp3' | 'other'

export const SECOND_ROW_END = 10

/** By atom. */
export function readHybrids({ atoms, neighbours }: MoleculeGraph, data: ElementData[]): Hybrid[] {
  const connections = atoms.map(({ hydrogens }, at) => hydrogens + (neighbours[at]?.length ?? 0))
  const donates = atoms.map(({ element, charge }, at) => {
    const { outerElectrons: outer = 0, valence = 0 } = data[at] ?? {}
    const degree = connections[at] ?? 0
    if (valence <= 1 || degree > 3) return false
    const mayConjugate =
      element <= SECOND_ROW_END || (outer !== 5 && outer !== 6) || (outer === 6 && degree < 2)
    return mayConjugate && valence - degree + Math.max(outer - valence - charge, 0) > 0
  })
  const isConjugated = findConjugated(neighbours, connections, donates)
  return atoms.map(({ hydrogens, charge }, at) => {
    const degree = connections[at] ?? 0
    const bonds = neighbours[at]?.reduce((sum, { order }) => sum + order, hydrogens) ?? 0
    const free = (data[at]?.outerElectrons ?? 0) - bonds - charge
    const orbitals = degree + Math.trunc(free / 2)
    if (orbitals === 2) return 'sp'
    if (orbitals === 3) return 'sp2'
    if (orbitals !== 4) return 'other'
    return degree <= 3 && isConjugated[at] === true ? 'sp2' : 'sp3'
  })
}

/** Atoms with an aromatic bond, or a bond next to a multiple one whose other end may conjugate. */
function findConjugated(
  neighbours: Neighbour[][],
  connections: number[],
  donates: boolean[],
): boolean[] {
  const isMultiple = ({ index, order, isAromatic }: Neighbour) =>
    isAromatic || (order > 1 && donates[index] === true)
  const found = neighbours.map((around) => around.some(({ isAromatic }) => isAromatic))
  for (const [at, around] of neighbours.entries()) {
    const degree = connections[at] ?? 0
    if (!donates[at] || degree < 2 || degree > 3) continue
    const others = around.filter(
      ({ index }) => (connections[index] ?? 0) <= 3 && donates[index] === true,
    )
    for (const bond of around.filter(isMultiple)) {
      const next = others.filter((other) => other !== bond)
      const conjugated =
        next.length === 0 ? [] : [at, bond.index, ...next.map(({ index }) => index)]
      for (const atom of conjugated) found[atom] = true
    }
  }
  return found
}
