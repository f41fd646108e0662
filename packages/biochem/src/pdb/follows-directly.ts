/** Whether one residue is bonded to the next along a chain, from distances alone. */
import type { Atom, Chain, Residue } from './structure.ts'

const peptideBondMax = 2
const alphaCarbonsMax = 4.5
const phosphodiesterBondMax = 2.5
const nucleotidesMax = 9

export function followsDirectly(kind: Chain['kind'], one: Residue, next: Residue): boolean {
  if (kind === 'protein') {
    const bond = distance(atomOf(one, chainEnds), atomOf(next, chainStarts))
    if (bond !== null) return bond <= peptideBondMax
    const step = distance(atomOf(one, ['CA']), atomOf(next, ['CA']))
    return step !== null && step <= alphaCarbonsMax
  }
  const bond = distance(atomOf(one, ["O3'"]), atomOf(next, ['P']))
  if (bond !== null) return bond <= phosphodiesterBondMax
  const step = distance(atomOf(one, sugarAtoms), atomOf(next, sugarAtoms))
  return step !== null && step <= nucleotidesMax
}

/** The first of these atoms that the residue has. */
export function atomOf(residue: Residue, names: readonly string[]): Atom | null {
  for (const name of names) {
    const found = residue.atoms.find((atom) => atom.name === name)
    if (found !== undefined) return found
  }
  return null
}

/** Distance in Å; null where an atom is missing. */
export function distance(one: Atom | null, other: Atom | null): number | null {
  if (one === null || other === null) return null
  return Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z)
}

/** Chromophores that formed from three residues carry C3 and N1 where others have C and N. */
const chainEnds = ['C', 'C3']
const chainStarts = ['N', 'N1']

const sugarAtoms = ["C3'", 'P']
