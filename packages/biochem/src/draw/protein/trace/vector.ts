/** Points and directions in three dimensions, in Å where they are places. Nothing here changes its arguments. */

export type Vector = readonly [number, number, number]

export function plus(a: Vector, b: Vector): Vector {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function times(a: Vector, factor: number): Vector {
  return [a[0] * factor, a[1] * factor, a[2] * factor]
}

export function mix(a: Vector, b: Vector, share: number): Vector {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function distance(a: Vector, b: Vector): number {
  return Math.sqrt(squaredDistance(a, b))
}

export function squaredDistance(a: Vector, b: Vector): number {
  const x = a[0] - b[0]
  const y = a[1] - b[1]
  const z = a[2] - b[2]
  return x * x + y * y + z * z
}

/** The direction of `a` with length 1; null where `a` is too short to have one. */
export function direction(a: Vector): Vector | null {
  const length = Math.sqrt(dot(a, a))
  return length > 1e-6 ? times(a, 1 / length) : null
}

/** A unit vector at right angles to the unit vector `axis`, as near to `wish` as can be. */
export function perpendicular(axis: Vector, wish: Vector): Vector {
  return direction(minus(wish, times(axis, dot(wish, axis)))) ?? anyPerpendicular(axis)
}

function anyPerpendicular(axis: Vector): Vector {
  const helper: Vector = Math.abs(axis[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0]
  return direction(cross(axis, helper)) ?? [0, 0, 1]
}
