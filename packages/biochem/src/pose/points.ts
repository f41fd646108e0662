/** Coordinates as flat arrays in Å: x, y and z of atom 0, then of atom 1 and so on. */

export type Points = Float64Array

/** For use outside inner loops: called with arrays of several types it is not inlined. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] as number
}

export function distance(one: Points, i: number, other: Points, j: number): number {
  const dx = (one[3 * i] as number) - (other[3 * j] as number)
  const dy = (one[3 * i + 1] as number) - (other[3 * j + 1] as number)
  const dz = (one[3 * i + 2] as number) - (other[3 * j + 2] as number)
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

/** Root mean square distance between two sets of the same atoms, without superposition. */
export function rmsd(one: Points, other: Points): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += ((one[i] as number) - (other[i] as number)) ** 2
  return Math.sqrt((3 * sum) / one.length)
}

/** Six times the volume of the tetrahedron; the sign says whether p, q and r are clockwise seen from c. */
export function signedVolume(x: Points, [c, p, q, r]: readonly number[] & { length: 4 }): number {
  const [px, py, pz] = between(x, c as number, p as number)
  const [qx, qy, qz] = between(x, c as number, q as number)
  const [rx, ry, rz] = between(x, c as number, r as number)
  return px * (qy * rz - qz * ry) + py * (qz * rx - qx * rz) + pz * (qx * ry - qy * rx)
}

export function between(x: Points, from: number, to: number): [number, number, number] {
  return [
    (x[3 * to] as number) - (x[3 * from] as number),
    (x[3 * to + 1] as number) - (x[3 * from + 1] as number),
    (x[3 * to + 2] as number) - (x[3 * from + 2] as number),
  ]
}
