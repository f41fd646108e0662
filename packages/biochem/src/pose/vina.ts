/**
 * The five pair terms of AutoDock Vina 1.2 with analytic gradients. Energies in kcal/mol; lower is better. The sum is
 * not divided by the number of torsions, because that makes the ranking inside a series worse.
 */
import type { Points } from './points.ts'

const GAUSS_1 = -0.035579
const GAUSS_2 = -0.005156
const REPULSION = 0.840245
const HYDROPHOBIC_CONTACT = -0.035069
const HYDROGEN_BOND = -0.587439
const CUTOFF = 8

/** Bit mask of what an atom can do. */
export const HYDROPHOBIC = 1
export const DONOR = 2
export const ACCEPTOR = 4

export const metals: ReadonlySet<string> = new Set('ZN MG MN CA FE NI CO CU'.split(' '))
export const halogens: ReadonlySet<string> = new Set(['F', 'CL', 'BR', 'I'])

const radii: Record<string, number> = {
  C: 1.9,
  N: 1.8,
  O: 1.7,
  S: 2,
  P: 2.1,
  F: 1.5,
  CL: 1.8,
  BR: 2,
  I: 2.2,
  B: 1.92,
  SI: 2.2,
}

/** Vina's radius for an element symbol in capitals. */
export function vinaRadius(element: string): number {
  return radii[element] ?? (metals.has(element) ? 1.2 : 1.9)
}

// Both Gaussians depend on the distance between surfaces only, so one table serves all pairs of types.
const STEP = 0.01
const LOWEST = -5
const TABLE_LENGTH = Math.ceil((CUTOFF - LOWEST) / STEP) + 2
const gaussEnergy = new Float64Array(TABLE_LENGTH)
const gaussSlope = new Float64Array(TABLE_LENGTH)
for (let i = 0; i < TABLE_LENGTH; i++) {
  const d = LOWEST + i * STEP
  const first = GAUSS_1 * Math.exp(-((d / 0.5) ** 2))
  const second = GAUSS_2 * Math.exp(-(((d - 3) / 2) ** 2))
  gaussEnergy[i] = first + second
  gaussSlope[i] = -8 * d * first - ((d - 3) / 2) * second
}

/** Derivative of the last `pairEnergy` by the distance: a second return value without an allocation per pair. */
let pairSlope = 0

/** `d`: distance between the surfaces of two atoms with the properties `one` and `other`. */
function pairEnergy(d: number, one: number, other: number): number {
  const place = Math.max(0, (d - LOWEST) / STEP)
  const i = place | 0
  const f = place - i
  let energy =
    (gaussEnergy[i] as number) + f * ((gaussEnergy[i + 1] as number) - (gaussEnergy[i] as number))
  pairSlope =
    (gaussSlope[i] as number) + f * ((gaussSlope[i + 1] as number) - (gaussSlope[i] as number))
  if (d < 1.5 && (one & other & HYDROPHOBIC) !== 0) {
    energy += HYDROPHOBIC_CONTACT * Math.min(1, 1.5 - d)
    if (d > 0.5) pairSlope -= HYDROPHOBIC_CONTACT
  }
  if (d >= 0) return energy
  energy += REPULSION * d * d
  pairSlope += 2 * REPULSION * d
  if (!canBond(one, other)) return energy
  if (d > -0.7) pairSlope -= HYDROGEN_BOND / 0.7
  return energy + HYDROGEN_BOND * Math.min(1, -d / 0.7)
}

/** Whether one can donate a hydrogen that the other accepts. */
export function canBond(one: number, other: number): boolean {
  return (
    ((one & DONOR) !== 0 && (other & ACCEPTOR) !== 0) ||
    ((one & ACCEPTOR) !== 0 && (other & DONOR) !== 0)
  )
}

/** Atoms with the properties used by the score. */
export type ScoredAtoms = { count: number; radius: Float64Array; flags: Uint8Array }

/** Atoms around a ligand. Neighbour lists per cube of 1 Å are built on first use and kept for all compounds. */
export class Surroundings {
  readonly atoms: ScoredAtoms
  readonly x: Points
  readonly #cubes = new Map<number, Int32Array>()

  constructor(atoms: ScoredAtoms, x: Points) {
    this.atoms = atoms
    this.x = x
  }

  /** Atoms within the cutoff of any point of this point's cube. */
  near(px: number, py: number, pz: number): Int32Array {
    const [i, j, k] = [Math.floor(px), Math.floor(py), Math.floor(pz)]
    const key = ((i + 16_384) * 32_768 + (j + 16_384)) * 32_768 + (k + 16_384)
    const known = this.#cubes.get(key)
    if (known !== undefined) return known
    const reach = (CUTOFF + Math.sqrt(3) / 2) ** 2
    const found: number[] = []
    for (let a = 0; a < this.atoms.count; a++) {
      const dx = (this.x[3 * a] as number) - i - 0.5
      const dy = (this.x[3 * a + 1] as number) - j - 0.5
      const dz = (this.x[3 * a + 2] as number) - k - 0.5
      if (dx * dx + dy * dy + dz * dz < reach) found.push(a)
    }
    const list = Int32Array.from(found)
    this.#cubes.set(key, list)
    return list
  }
}

/** `pairs`: atoms of the ligand that can move against each other, as a flat list. */
export type ScoredLigand = ScoredAtoms & { pairs: Int32Array }

export type Score = {
  /** With the gradient in `gradient`, if given. */
  total(x: Points, gradient?: Points): number
  /** Between ligand and surroundings only. */
  between(x: Points): number
}

export function openScore(surroundings: Surroundings, ligand: ScoredLigand): Score {
  return {
    total(x, gradient) {
      gradient?.fill(0)
      const outside = scoreBetween(surroundings, ligand, x, gradient)
      return outside + scoreWithin(ligand, x, gradient)
    },
    between: (x) => scoreBetween(surroundings, ligand, x),
  }
}

function scoreBetween(
  surroundings: Surroundings,
  { count, radius, flags }: ScoredLigand,
  x: Points,
  gradient?: Points,
): number {
  const { x: around, atoms } = surroundings
  let energy = 0
  for (let i = 0; i < count; i++) {
    const [px, py, pz] = [x[3 * i] as number, x[3 * i + 1] as number, x[3 * i + 2] as number]
    const near = surroundings.near(px, py, pz)
    const [ownRadius, ownFlags] = [radius[i] as number, flags[i] as number]
    let [gx, gy, gz] = [0, 0, 0]
    for (let m = 0; m < near.length; m++) {
      const j = near[m] as number
      const dx = px - (around[3 * j] as number)
      const dy = py - (around[3 * j + 1] as number)
      const dz = pz - (around[3 * j + 2] as number)
      const squared = dx * dx + dy * dy + dz * dz
      if (squared >= CUTOFF * CUTOFF) continue
      const r = Math.sqrt(squared) + 1e-6
      energy += pairEnergy(
        r - ownRadius - (atoms.radius[j] as number),
        ownFlags,
        atoms.flags[j] as number,
      )
      const slope = pairSlope / r
      gx += slope * dx
      gy += slope * dy
      gz += slope * dz
    }
    if (gradient !== undefined) push(gradient, i, 1, [gx, gy, gz])
  }
  return energy
}

function scoreWithin({ radius, flags, pairs }: ScoredLigand, x: Points, gradient?: Points): number {
  let energy = 0
  for (let p = 0; p < pairs.length; p += 2) {
    const [i, j] = [pairs[p] as number, pairs[p + 1] as number]
    const dx = (x[3 * i] as number) - (x[3 * j] as number)
    const dy = (x[3 * i + 1] as number) - (x[3 * j + 1] as number)
    const dz = (x[3 * i + 2] as number) - (x[3 * j + 2] as number)
    const squared = dx * dx + dy * dy + dz * dz
    if (squared >= CUTOFF * CUTOFF) continue
    const r = Math.sqrt(squared) + 1e-6
    energy += pairEnergy(
      r - (radius[i] as number) - (radius[j] as number),
      flags[i] as number,
      flags[j] as number,
    )
    if (gradient === undefined) continue
    const slope = pairSlope / r
    push(gradient, i, slope, [dx, dy, dz])
    push(gradient, j, -slope, [dx, dy, dz])
  }
  return energy
}

function push(gradient: Points, i: number, factor: number, [x, y, z]: [number, number, number]) {
  gradient[3 * i] = (gradient[3 * i] as number) + factor * x
  gradient[3 * i + 1] = (gradient[3 * i + 1] as number) + factor * y
  gradient[3 * i + 2] = (gradient[3 * i + 2] as number) + factor * z
}
