/**
 * Gives aromatic bonds of a mol block (type 4) single and double bonds. OpenChemLib leaves a ring open that has two
 * solutions without its explicit hydrogens, and then forgets them: imidazole would lose its NH.
 */
import { Molecule } from 'openchemlib'

/** Attempts per molecule; one with more is left as it is, and refused later. */
const STEPS_MAX = 20_000

export function settleAromatic(molecule: Molecule): void {
  molecule.ensureHelperArrays(Molecule.cHelperNeighbours)
  const bonds = [...Array(molecule.getAllBonds()).keys()].filter(
    (bond) => molecule.getBondType(bond) === Molecule.cBondTypeDelocalized,
  )
  if (bonds.length === 0) return
  const neighbours = new Map<number, Map<number, number>>()
  for (const bond of bonds) {
    const [one, other] = [molecule.getBondAtom(0, bond), molecule.getBondAtom(1, bond)]
    if (!needsDouble(molecule, one) || !needsDouble(molecule, other)) continue
    addTo(neighbours, one).set(other, bond)
    addTo(neighbours, other).set(one, bond)
  }
  const atoms = bonds.flatMap((bond) => [
    molecule.getBondAtom(0, bond),
    molecule.getBondAtom(1, bond),
  ])
  const open = new Set(atoms.filter((atom) => needsDouble(molecule, atom)))
  const doubles = pairUp(open, neighbours)
  if (doubles === null) return
  for (const bond of bonds) {
    const type = doubles.has(bond) ? Molecule.cBondTypeDouble : Molecule.cBondTypeSingle
    molecule.setBondType(bond, type)
  }
}

function addTo(neighbours: Map<number, Map<number, number>>, atom: number): Map<number, number> {
  const own = neighbours.get(atom) ?? new Map<number, number>()
  neighbours.set(atom, own)
  return own
}

/** Whether an atom of an aromatic ring has one double bond in it. */
function needsDouble(molecule: Molecule, atom: number): boolean {
  const all = molecule.getAllConnAtoms(atom)
  const orders = [...Array(all).keys()].map((at) =>
    molecule.getBondType(molecule.getConnBond(atom, at)),
  )
  if (orders.includes(Molecule.cBondTypeDouble)) return false
  const charge = molecule.getAtomCharge(atom)
  switch (molecule.getAtomLabel(atom)) {
    case 'C':
      return charge === 0
    case 'N':
    case 'P':
      return all === (charge === 1 ? 3 : 2) && charge >= 0
    case 'O':
    case 'S':
    case 'Se':
      return charge === 1
    default:
      return false
  }
}

/** The bonds that pair all atoms; null if there are none. The atom with the fewest partners is next. */
function pairUp(
  open: Set<number>,
  neighbours: Map<number, Map<number, number>>,
): Set<number> | null {
  let steps = 0
  const pair = (): number[] | null => {
    if (open.size === 0) return []
    if ((steps += 1) > STEPS_MAX) return null
    const partners = (atom: number) =>
      [...(neighbours.get(atom) ?? [])].filter(([other]) => open.has(other))
    const [atom = -1] = [...open].toSorted((a, b) => partners(a).length - partners(b).length)
    for (const [other, bond] of partners(atom)) {
      for (const one of [atom, other]) open.delete(one)
      const rest = pair()
      if (rest !== null) return [bond, ...rest]
      for (const one of [atom, other]) open.add(one)
    }
    return null
  }
  const bonds = pair()
  return bonds === null ? null : new Set(bonds)
}
