/** Relaxes a ligand in rigid surroundings over position, orientation and torsions. */
import { minimise } from './minimise.ts'
import { between, type Points } from './points.ts'
import { type Torsion, turn } from './torsions.ts'
import type { Score } from './vina.ts'

type Matrix = readonly number[]
type Pose = { x: Points; jacobian: Matrix }

const identity: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]

/**
 * The score as a function of three shifts, a rotation vector about the ligand's centre, and an angle per torsion, all
 * zero at `start`.
 */
export function poseFunction(score: Pick<Score, 'total'>, start: Points, torsions: Torsion[]) {
  const gradient = new Float64Array(start.length)
  const centre = centreOf(start)
  const variables = 6 + torsions.length

  function build(p: Points): Pose {
    const x = start.slice()
    for (const [k, torsion] of torsions.entries()) {
      if ((p[6 + k] as number) !== 0) turn(x, torsion, p[6 + k] as number)
    }
    const { rotation, jacobian } = rotationBy([p[3] as number, p[4] as number, p[5] as number])
    for (let i = 0; i < x.length; i += 3) {
      const from = [
        (x[i] as number) - centre[0],
        (x[i + 1] as number) - centre[1],
        (x[i + 2] as number) - centre[2],
      ]
      for (let r = 0; r < 3; r++) {
        const turned =
          (rotation[3 * r] as number) * (from[0] as number) +
          (rotation[3 * r + 1] as number) * (from[1] as number) +
          (rotation[3 * r + 2] as number) * (from[2] as number)
        x[i + r] = turned + (centre[r] as number) + (p[r] as number)
      }
    }
    return { x, jacobian }
  }

  function value(p: Points, gradientOfP: Points): number {
    const { x, jacobian } = build(p)
    const energy = score.total(x, gradient)
    gradientOfP.fill(0)
    for (let i = 0; i < x.length; i++) {
      gradientOfP[i % 3] = (gradientOfP[i % 3] as number) + (gradient[i] as number)
    }
    const pivot = [0, 1, 2].map((r) => (centre[r] as number) + (p[r] as number))
    const whole = torque({ x, gradient }, everyAtom, pivot)
    for (let r = 0; r < 3; r++) {
      gradientOfP[3 + r] =
        (jacobian[r] as number) * whole[0] +
        (jacobian[3 + r] as number) * whole[1] +
        (jacobian[6 + r] as number) * whole[2]
    }
    for (const [k, { a, b, moving }] of torsions.entries()) {
      const own = torque({ x, gradient }, moving, x.subarray(3 * b, 3 * b + 3))
      const axis = between(x, a, b)
      const along = axis[0] * own[0] + axis[1] * own[1] + axis[2] * own[2]
      gradientOfP[6 + k] = along / Math.hypot(...axis)
    }
    return energy
  }

  const everyAtom = Int32Array.from({ length: start.length / 3 }, (_, i) => i)
  return { variables, value, coordinates: (p: Points) => build(p).x }
}

export function relax(
  score: Pick<Score, 'total'>,
  start: Points,
  { torsions, iterations }: { torsions: Torsion[]; iterations: number },
): { x: Points; total: number } {
  const { variables, value, coordinates } = poseFunction(score, start, torsions)
  const p = new Float64Array(variables)
  const total = minimise(p, value, { iterations, stepMax: 0.5, gainMin: 1e-4 })
  return { x: coordinates(p), total }
}

function centreOf(x: Points): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    sums[i % 3] = (sums[i % 3] as number) + (3 * (x[i] as number)) / x.length
  }
  return sums
}

function torque(
  { x, gradient }: { x: Points; gradient: Points },
  atoms: Int32Array,
  pivot: ArrayLike<number>,
): [number, number, number] {
  let [tx, ty, tz] = [0, 0, 0]
  for (let m = 0; m < atoms.length; m++) {
    const i = 3 * (atoms[m] as number)
    const [px, py, pz] = [
      (x[i] as number) - (pivot[0] as number),
      (x[i + 1] as number) - (pivot[1] as number),
      (x[i + 2] as number) - (pivot[2] as number),
    ]
    tx += py * (gradient[i + 2] as number) - pz * (gradient[i + 1] as number)
    ty += pz * (gradient[i] as number) - px * (gradient[i + 2] as number)
    tz += px * (gradient[i + 1] as number) - py * (gradient[i] as number)
  }
  return [tx, ty, tz]
}

/** Rodrigues' formula, and the matrix that converts a torque into the derivative by the rotation vector. */
function rotationBy(vector: [number, number, number]): { rotation: Matrix; jacobian: Matrix } {
  const angle = Math.hypot(...vector)
  if (angle < 1e-9) return { rotation: identity, jacobian: identity }
  const [x, y, z] = vector.map((v) => v / angle) as [number, number, number]
  const cross = [0, -z, y, z, 0, -x, -y, x, 0]
  const squared = [x * x - 1, x * y, x * z, x * y, y * y - 1, y * z, x * z, y * z, z * z - 1]
  const combine = (first: number, second: number) =>
    identity.map((one, i) => one + first * (cross[i] as number) + second * (squared[i] as number))
  return {
    rotation: combine(Math.sin(angle), 1 - Math.cos(angle)),
    jacobian: combine((1 - Math.cos(angle)) / angle, (angle - Math.sin(angle)) / angle),
  }
}
