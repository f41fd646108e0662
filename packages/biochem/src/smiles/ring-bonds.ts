/** Pairs the ring-closure numbers of a SMILES, and refuses bonds that cannot be. */
import { smilesLimits } from './limits.ts'

export type RingBonds = {
  /** Rings opened and not yet closed, by their number. */
  open: Map<number, { atom: number; at: number }>
  /** Pairs of bonded atoms, by their `bondKey`. */
  bonded: Set<number>
  /** Bonds of each atom. */
  degrees: number[]
  /** Rings closed so far. */
  count: number
}

/** Notes a bond; the reason, where an atom has too many. */
export function addBondBetween(rings: RingBonds, a: number, b: number): string | undefined {
  rings.bonded.add(bondKey(a, b))
  for (const atom of [a, b]) {
    const degree = (rings.degrees[atom] ?? 0) + 1
    rings.degrees[atom] = degree
    const most = smilesLimits.atomBonds
    if (degree > most) return `Atom ${atom + 1} has more than ${most} bonds`
  }
  return undefined
}

/** Opens the ring with this number, or closes it; the reason, where the bond cannot be. */
export function closeRing(
  rings: RingBonds,
  label: number,
  here: { atom: number; at: number },
): string | undefined {
  const start = rings.open.get(label)
  if (!start) {
    rings.open.set(label, here)
    return undefined
  }
  rings.open.delete(label)
  rings.count += 1
  if (start.atom === here.atom) return `Ring ${label} closes on the atom that opened it`
  if (rings.bonded.has(bondKey(start.atom, here.atom))) {
    return `Ring ${label} closes between two atoms that are bonded already`
  }
  return addBondBetween(rings, start.atom, here.atom)
}

/** The same for both directions of a bond. No SMILES that is read has a hundred thousand atoms. */
function bondKey(a: number, b: number): number {
  return Math.min(a, b) * 100_000 + Math.max(a, b)
}
