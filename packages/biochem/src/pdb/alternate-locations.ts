/**
 * Chooses one location for every atom of a residue: one conformer, the one with the highest occupancy, as far as it is
 * complete.
 */
import type { LocatedAtom, ScannedResidue } from './scan-atoms.ts'
import type { Atom } from './structure.ts'

/**
 * Atoms of the chosen conformer take precedence over those without a location letter, and these over other conformers,
 * whose atoms only fill gaps.
 */
export function chooseLocations(residue: ScannedResidue): Atom[] {
  return chooseBy(residue.atoms, ({ name }) => name)
}

/**
 * The same for a ligand, whose atoms may all be named by their element: equal names are one atom only if their
 * letters differ, or in the same place.
 */
export function locationsOf({ atoms }: ScannedResidue): Atom[] {
  const counts = new Map<string, number>()
  const chosen = chooseBy(atoms, ({ name, altloc }) => {
    const label = `${name} ${altloc}`
    const count = (counts.get(label) ?? 0) + 1
    counts.set(label, count)
    return `${name} ${count}`
  })
  const places = new Set<string>()
  return chosen.filter(({ name, x, y, z }) => {
    const place = `${name} ${x} ${y} ${z}`
    if (places.has(place)) return false
    places.add(place)
    return true
  })
}

function chooseBy(atoms: readonly LocatedAtom[], keyOf: (atom: LocatedAtom) => string): Atom[] {
  const chosen = mostOccupied(atoms)
  const best = new Map<string, LocatedAtom>()
  for (const atom of atoms) {
    const key = keyOf(atom)
    const other = best.get(key)
    if (other === undefined || rank(atom, chosen) > rank(other, chosen)) best.set(key, atom)
  }
  return [...best.values()].map(({ name, element, x, y, z }) => ({ name, element, x, y, z }))
}

/** Whether any atom of the residue has more than one location. */
export function hasAlternates(residue: ScannedResidue): boolean {
  const letters = new Set<string>()
  for (const atom of residue.atoms) if (atom.altloc !== '') letters.add(atom.altloc)
  return letters.size > 1
}

/** Mean occupancy, for choosing between residues at one position. */
export function meanOccupancy(atoms: readonly LocatedAtom[]): number {
  let sum = 0
  for (const atom of atoms) sum += atom.occupancy
  return sum / Math.max(1, atoms.length)
}

/** The location letter with the highest mean occupancy; the first of equals. */
function mostOccupied(atoms: readonly LocatedAtom[]): string {
  const byLetter = new Map<string, LocatedAtom[]>()
  for (const atom of atoms) {
    if (atom.altloc === '') continue
    const same = byLetter.get(atom.altloc)
    if (same === undefined) byLetter.set(atom.altloc, [atom])
    else same.push(atom)
  }
  let chosen = ''
  let highest = -1
  for (const [letter, same] of byLetter) {
    const occupancy = meanOccupancy(same)
    if (occupancy <= highest) continue
    chosen = letter
    highest = occupancy
  }
  return chosen
}

function rank(atom: LocatedAtom, chosen: string): number {
  if (atom.altloc === '') return 2
  return atom.altloc === chosen ? 3 : Math.min(1, atom.occupancy)
}
