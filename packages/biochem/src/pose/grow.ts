/** Adds the atoms outside the core one by one at their ideal positions, then refines with the core held in place. */
import type { IdealGeometry, Shape, Spring } from './ideal-geometry.ts'
import { minimise } from './minimise.ts'
import { neighboursOf, type Parts } from './molecule-parts.ts'
import { at, between, distance, type Points, signedVolume } from './points.ts'

const DIRECTIONS = 60
const CLEAN_ITERATIONS = 80
/** A core atom may move this far from the reference at no cost, in Å. */
const TETHER_FREE = 0.2
const TETHER_FORCE = 25
const WALL_FORCE = 10
const SHAPE_FORCE = 5
/** A regular centre has a signed volume of about 2 Å³·6; above this the handedness counts as right. */
const VOLUME_MIN = 1.2

/** Maps atoms of a compound to atoms of the reference. */
export type Mapping = { compound: number[]; reference: number[] }

export type Template = {
  parts: Parts
  ideal: IdealGeometry
  walls: { i: number; j: number; apart: number }[]
}

/** Coordinates of the whole compound, and the remaining strain where the core ends. */
export function growFromCore(
  template: Template,
  core: { mapping: Mapping; reference: Points },
  random: () => number,
): { x: Points; strain: number } {
  const { parts } = template
  const x = new Float64Array(3 * parts.elements.length)
  const placed = new Set(core.mapping.compound)
  for (const [k, i] of core.mapping.compound.entries()) {
    const from = 3 * at(core.mapping.reference, k)
    x.set(core.reference.subarray(from, from + 3), 3 * i)
  }
  const springs = Map.groupBy(
    template.ideal.springs.flatMap((spring) => [spring, { ...spring, i: spring.j, j: spring.i }]),
    ({ i }) => i,
  )
  // Iterating a set includes elements added meanwhile.
  for (const from of placed) {
    for (const atom of neighboursOf(parts, from)) {
      if (placed.has(atom)) continue
      const own = (springs.get(atom) ?? []).filter(({ j }) => placed.has(j))
      placeAtom(template, { x, placed, atom, from, own }, random)
      placed.add(atom)
    }
  }
  return { x, strain: clean(template, core, x) }
}

type Next = { x: Points; placed: Set<number>; atom: number; from: number; own: Spring[] }

/** The best of many directions from the bonded neighbour. */
function placeAtom({ parts, ideal }: Template, next: Next, random: () => number): void {
  const { x, placed, atom, from, own } = next
  const length = own.find(({ j }) => j === from)?.length ?? 1.5
  const shapes = ideal.shapes.filter(
    ({ atoms }) => atoms.includes(atom) && atoms.every((i) => i === atom || placed.has(i)),
  )
  const far = [...placed].filter((i) => at(parts.steps[atom] ?? [], i) > 2)
  const best = new Float64Array(3)
  let lowest = Infinity
  for (let tries = 0; tries < DIRECTIONS; tries++) {
    const cos = 2 * random() - 1
    const sin = Math.sqrt(1 - cos * cos)
    const turn = 2 * Math.PI * random()
    x[3 * atom] = at(x, 3 * from) + length * sin * Math.cos(turn)
    x[3 * atom + 1] = at(x, 3 * from + 1) + length * sin * Math.sin(turn)
    x[3 * atom + 2] = at(x, 3 * from + 2) + length * cos
    let energy = 0
    for (const { j, length: wanted, force } of own) {
      energy += force * (distance(x, atom, x, j) - wanted) ** 2
    }
    for (const j of far) energy += WALL_FORCE * Math.max(0, 2.6 - distance(x, atom, x, j)) ** 2
    for (const shape of shapes) energy += SHAPE_FORCE * misshapen(x, shape) ** 2
    if (energy >= lowest) continue
    lowest = energy
    best.set(x.subarray(3 * atom, 3 * atom + 3))
  }
  x.set(best, 3 * atom)
}

/** Deviation of a signed volume from its target. */
function misshapen(x: Points, { atoms, hand }: Shape): number {
  const volume = signedVolume(x, atoms)
  return hand === 0 ? volume : Math.min(0, hand * volume - VOLUME_MIN) * hand
}

/** Whether every stereocentre and double bond has the configuration of the SMILES. */
export function keepsStereo(
  { parts, ideal }: Pick<Template, 'parts' | 'ideal'>,
  x: Points,
): boolean {
  const isRight = ({ atoms, hand }: Shape) => hand === 0 || hand * signedVolume(x, atoms) > 0
  return (
    ideal.shapes.every(isRight) &&
    parts.bonds.every(({ a, b, sides }) => {
      if (sides === undefined) return true
      const ends = sides.atoms.toSorted((one) => (neighboursOf(parts, a).includes(one) ? -1 : 1))
      return liesCis(x, [at(ends, 0), a, b, at(ends, 1)]) === sides.isCis
    })
  )
}

function liesCis(x: Points, [p, a, b, q]: [number, number, number, number]): boolean {
  const axis = between(x, a, b)
  const across = (from: number, to: number) => {
    const v = between(x, from, to)
    const along = dot(v, axis) / dot(axis, axis)
    return v.map((value, r) => value - along * at(axis, r))
  }
  return dot(across(a, p), across(b, q)) > 0
}

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, value, r) => sum + value * at(other, r), 0)
}

/** Ideal geometry outside the core, a soft wall between far atoms, a tether on the core. Changes `x` in place. */
function clean(
  { parts, ideal, walls }: Template,
  { mapping, reference }: { mapping: Mapping; reference: Points },
  x: Points,
): number {
  const core = new Set(mapping.compound)
  if (core.size === parts.elements.length) return 0
  const isSeam = ({ i, j }: { i: number; j: number }) => !(core.has(i) && core.has(j))
  const springs = ideal.springs.filter(isSeam)
  const apart = walls.filter(isSeam)
  const energy = (q: Points, g: Points) => {
    g.fill(0)
    let sum = 0
    for (const { i, j, length, force } of springs) sum += addSpring({ q, g }, [i, j], length, force)
    for (const { i, j, apart: least } of apart) {
      if (distance(q, i, q, j) < least) sum += addSpring({ q, g }, [i, j], least, WALL_FORCE)
    }
    for (const shape of ideal.shapes) sum += addShape({ q, g }, shape)
    for (const [k, i] of mapping.compound.entries()) {
      sum += addTether({ q, g }, i, reference, at(mapping.reference, k))
    }
    return sum
  }
  return minimise(x, energy, { iterations: CLEAN_ITERATIONS, stepMax: 0.3, gainMin: 1e-3 })
}

type Field = { q: Points; g: Points }

function addSpring(
  { q, g }: Field,
  [i, j]: [number, number],
  length: number,
  force: number,
): number {
  const dx = at(q, 3 * i) - at(q, 3 * j)
  const dy = at(q, 3 * i + 1) - at(q, 3 * j + 1)
  const dz = at(q, 3 * i + 2) - at(q, 3 * j + 2)
  const r = Math.sqrt(dx * dx + dy * dy + dz * dz) + 1e-6
  const off = r - length
  const slope = (2 * force * off) / r
  g[3 * i] = at(g, 3 * i) + slope * dx
  g[3 * i + 1] = at(g, 3 * i + 1) + slope * dy
  g[3 * i + 2] = at(g, 3 * i + 2) + slope * dz
  g[3 * j] = at(g, 3 * j) - slope * dx
  g[3 * j + 1] = at(g, 3 * j + 1) - slope * dy
  g[3 * j + 2] = at(g, 3 * j + 2) - slope * dz
  return force * off * off
}

/** The gradient of a triple product by one edge is the cross product of the other two. */
function addShape({ q, g }: Field, shape: Shape): number {
  const off = misshapen(q, shape)
  if (off === 0) return 0
  const [centre, ...ends] = shape.atoms
  for (let m = 0; m < 3; m++) {
    const [end, next, last] = [at(ends, m), at(ends, (m + 1) % 3), at(ends, (m + 2) % 3)]
    const [ux, uy, uz] = between(q, centre, next)
    const [vx, vy, vz] = between(q, centre, last)
    const edge = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    for (let r = 0; r < 3; r++) {
      const slope = 2 * SHAPE_FORCE * off * at(edge, r)
      g[3 * end + r] = at(g, 3 * end + r) + slope
      g[3 * centre + r] = at(g, 3 * centre + r) - slope
    }
  }
  return SHAPE_FORCE * off * off
}

function addTether({ q, g }: Field, i: number, reference: Points, to: number): number {
  const r = distance(q, i, reference, to)
  if (r <= TETHER_FREE) return 0
  const off = r - TETHER_FREE
  for (let k = 0; k < 3; k++) {
    const slope = (2 * TETHER_FORCE * off * (at(q, 3 * i + k) - at(reference, 3 * to + k))) / r
    g[3 * i + k] = at(g, 3 * i + k) + slope
  }
  return TETHER_FORCE * off * off
}
