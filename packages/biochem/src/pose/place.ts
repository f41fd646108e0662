/**
 * Places a compound in a pocket: its common core on the reference ligand, the rest grown from there, free torsions
 * scanned, the best few relaxed. Deterministic. A pose is a model, not an experiment.
 */
import type { RdkitModule } from '../smiles/rdkit.ts'
import { trapped } from '../smiles/rdkit.ts'
import { coreAtomsMin, mapOntoReference } from './common-core.ts'
import { growFromCore, keepsStereo, type Mapping, type Template } from './grow.ts'
import { idealGeometry, unheldPairs } from './ideal-geometry.ts'
import { type Parts, readParts, typeCompound } from './molecule-parts.ts'
import type { PreparedPocket } from './pocket-atoms.ts'
import { type Points, rmsd } from './points.ts'
import type { Reference } from './reference-ligand.ts'
import { relax } from './relax.ts'
import {
  freeTorsions,
  movingPairs,
  type Torsion,
  torsionsOf,
  turn,
  turningBonds,
} from './torsions.ts'
import { openScore, type Score, type ScoredLigand } from './vina.ts'

const MAPPINGS_MAX = 2
const STARTS_PER_MAPPING = 6
const RELAXED_MAX = 4
const RELAX_ITERATIONS = 40
const SCAN_ANGLES = 12
const SCAN_ROUNDS = 2
/** Starting poses closer than this, in Å, relax to the same pose. */
const SAME_POSE = 0.5
/** Weight of a starting pose's remaining strain. */
const STRAIN_WEIGHT = 0.1
/** Number of best poses whose energies are averaged, because a single one is noisy. */
const AVERAGED_POSES = 3
const SEED = 7
const HEAVY_ATOMS_MAX = 100

export type PlacedPose = {
  parts: Parts
  scored: ScoredLigand
  x: Points
  /** Vina's energy with the pocket in kcal/mol: of this pose, and the mean over the best few. */
  energy: number
  meanEnergy: number
  coreAtoms: number
  /** False if the pose has a wrong stereocentre or double bond. */
  keepsStereo: boolean
}

export type Placed = { ok: true; pose: PlacedPose } | { ok: false; reason: string }

export type Site = { pocket: PreparedPocket; reference: Reference }

export function placeCompound(rdkit: RdkitModule, site: Site, smiles: string): Placed {
  const parts = partsOf(rdkit, smiles)
  if (parts === null) return refused('This compound cannot be read.')
  if (parts.elements.length > HEAVY_ATOMS_MAX) {
    return refused(`Compounds with more than ${HEAVY_ATOMS_MAX} heavy atoms are not placed.`)
  }
  const mappings = mapOntoReference(parts, site.reference.parts, MAPPINGS_MAX)
  if (mappings.length === 0) return refused(tooDifferent)
  const turning = turningBonds(parts)
  const torsions = torsionsOf(parts, turning)
  const typed = typeCompound(parts)
  const count = parts.elements.length
  const scored = { count, ...typed, pairs: movingPairs(parts, torsions) }
  const score = openScore(site.pocket.surroundings, scored)
  const ideal = idealGeometry(parts)
  const template = {
    parts,
    ideal,
    walls: unheldPairs(parts, { springs: ideal.springs, shapes: [] }),
  }
  const random = randomFrom(SEED)
  const starts = mappings.flatMap((mapping) => {
    const free = freeTorsions(parts, turning, mapping.compound)
    return startsOf({ template, site, mapping, score, free }, random)
  })
  const poses = unlike(starts).map(({ x }) => {
    const relaxed = relax(score, x, { torsions, iterations: RELAX_ITERATIONS })
    return {
      ...relaxed,
      energy: score.between(relaxed.x),
      keepsStereo: keepsStereo(template, relaxed.x),
    }
  })
  const ranked = poses.toSorted(
    (one, other) => Number(other.keepsStereo) - Number(one.keepsStereo) || one.total - other.total,
  )
  const [best] = ranked
  if (best === undefined) return refused(tooDifferent)
  const coreAtoms = mappings[0]?.compound.length ?? 0
  const { x, energy } = best
  const stereo = best.keepsStereo
  return {
    ok: true,
    pose: { parts, scored, x, energy, meanEnergy: meanOf(ranked), coreAtoms, keepsStereo: stereo },
  }
}

const tooDifferent = `Too different from the reference ligand: fewer than ${coreAtomsMin} connected atoms in common.`

/** The reference's own energy, relaxed in place: the baseline for poses. */
export function relaxedReferenceEnergy({ pocket, reference }: Site): number {
  const score = openScore(pocket.surroundings, reference.scored)
  const { torsions } = reference
  const { x } = relax(score, reference.x, { torsions, iterations: RELAX_ITERATIONS })
  return score.between(x)
}

/**
 * How much better a pose binds than the reference, in kcal/mol; higher is better. Clipped, because a few poses have
 * extreme energies.
 */
export function poseFeature(energy: number, referenceEnergy: number): number {
  return Math.max(-6, Math.min(3, Math.min(referenceEnergy, 0) - energy))
}

function refused(reason: string): Placed {
  return { ok: false, reason }
}

function partsOf(rdkit: RdkitModule, smiles: string): Parts | null {
  return trapped(() => {
    using molecule = rdkit.get_mol(smiles)
    return molecule === null ? null : readParts(molecule)
  })
}

type Start = { x: Points; energy: number }
type Growing = {
  template: Template
  site: Site
  mapping: Mapping
  score: Score
  free: Torsion[]
}

function startsOf(
  { template, site, mapping, score, free }: Growing,
  random: () => number,
): Start[] {
  const core = { mapping, reference: site.reference.x }
  // A compound without atoms outside the core has one geometry.
  const isAllCore = mapping.compound.length === template.parts.elements.length
  return Array.from({ length: isAllCore ? 1 : STARTS_PER_MAPPING }, () => {
    const { x, strain } = growFromCore(template, core, random)
    return { x, energy: scanTorsions(score, x, free) + STRAIN_WEIGHT * strain }
  })
}

/** Rotates each free torsion through its angles and keeps the best. Changes `x` in place. */
function scanTorsions(score: Score, x: Points, torsions: Torsion[]): number {
  let lowest = score.total(x)
  for (let round = 0; round < SCAN_ROUNDS; round++) {
    const before = lowest
    for (const torsion of torsions) lowest = scanTorsion(score, x, torsion, lowest)
    if (lowest === before) break
  }
  return lowest
}

function scanTorsion(score: Score, x: Points, torsion: Torsion, from: number): number {
  const start = x.slice()
  let lowest = from
  for (let k = 1; k < SCAN_ANGLES; k++) {
    const trial = start.slice()
    turn(trial, torsion, (2 * Math.PI * k) / SCAN_ANGLES)
    const energy = score.total(trial)
    if (energy >= lowest - 0.05) continue
    lowest = energy
    x.set(trial)
  }
  return lowest
}

function unlike(starts: Start[]): Start[] {
  const chosen: Start[] = []
  for (const start of starts.toSorted((one, other) => one.energy - other.energy)) {
    if (chosen.length >= RELAXED_MAX) break
    if (chosen.every(({ x }) => rmsd(x, start.x) > SAME_POSE)) chosen.push(start)
  }
  return chosen
}

function meanOf(ranked: { energy: number; keepsStereo: boolean }[]): number {
  const best = ranked
    .filter(({ keepsStereo: stereo }) => stereo === ranked[0]?.keepsStereo)
    .slice(0, AVERAGED_POSES)
  return best.reduce((sum, { energy }) => sum + energy, 0) / best.length
}

/** Park and Miller's generator. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
