/** Finds ring bonds and connected pieces. */

/** For every bond, given as two atoms, whether it is part of a ring of these bonds. */
export function ringBonds(bonds: readonly { a: number; b: number }[]): boolean[] {
  const links = new Map<number, { atom: number; bond: number }[]>()
  const link = (from: number, atom: number, bond: number) =>
    links.set(from, [...(links.get(from) ?? []), { atom, bond }])
  for (const [bond, { a, b }] of bonds.entries()) {
    link(a, b, bond)
    link(b, a, bond)
  }
  const isInRing = bonds.map(() => true)
  const order = new Map<number, number>()

  /** The earliest atom that can be reached from here without the bond that led here. */
  function earliest(atom: number, cameBy: number): number {
    const own = order.size
    order.set(atom, own)
    let lowest = own
    for (const { atom: next, bond } of links.get(atom) ?? []) {
      if (bond === cameBy) continue
      const known = order.get(next)
      const reached = known ?? earliest(next, bond)
      if (known === undefined && reached > own) isInRing[bond] = false
      lowest = Math.min(lowest, reached)
    }
    return lowest
  }

  for (const atom of links.keys()) if (!order.has(atom)) earliest(atom, -1)
  return isInRing
}

/** The largest set of these atoms connected by the bonds; the first of equals. */
export function largestPiece(
  atoms: Iterable<number>,
  bonds: readonly { a: number; b: number }[],
): Set<number> {
  let largest = new Set<number>()
  const seen = new Set<number>()
  for (const start of atoms) {
    if (seen.has(start)) continue
    const piece = new Set([start])
    for (const i of piece) addNeighbours(piece, i, bonds)
    for (const i of piece) seen.add(i)
    if (piece.size > largest.size) largest = piece
  }
  return largest
}

function addNeighbours(
  piece: Set<number>,
  i: number,
  bonds: readonly { a: number; b: number }[],
): void {
  for (const { a, b } of bonds) {
    if (a === i) piece.add(b)
    if (b === i) piece.add(a)
  }
}
