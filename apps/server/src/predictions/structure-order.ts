/** Checks screens that also use the structure, and estimates how long their poses take. */
import { OWN_LIGAND, type ScreenQuote, STRUCTURE_COMPOUNDS_MAX } from '@pkdex/contract'
import type { StructureWeights } from '#server/inference/service.ts'
import type { FoundReferences, Poses } from '#server/poses/service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Plan, PlannedTarget } from './plan.ts'

export type StructureParts = {
  poses: Pick<Poses, 'findReferences' | 'writeStored'>
  weights: StructureWeights
  /** The number of workers that place compounds. */
  threads: number
}

/** Stored bytes of a pose, features included. */
export function poseBytes(atoms: number): number {
  return 100 + 12 * atoms
}

/** Of a compound of the usual size. */
export const POSE_BYTES = poseBytes(30)

/** The reference ligand of each target of the order; null for those without one, whose compounds get no pose. */
export type PlannedStructure = { ligands: (PlannedLigand | null)[]; weights: StructureWeights }
type PlannedLigand = {
  target: string
  chain: string
  reference: string
  references: FoundReferences['references']
  /** The molecule file of the user's own ligand, if that is the reference. */
  own: string | null
}

/** Mean CPU time per compound; measured by `npm run score-poses`. */
const SECONDS_PER_POSE = 0.075
/** Time to read a structure and prepare its pocket. */
const SECONDS_PER_STRUCTURE = 0.5

export function estimateStructure(
  { threads }: Pick<StructureParts, 'threads'>,
  plan: Plan,
  { ligands }: PlannedStructure,
): NonNullable<ScreenQuote['structure']> {
  const found = ligands.filter((ligand) => ligand !== null)
  const poses = countPoses(plan, ligands)
  const work = poses * SECONDS_PER_POSE + found.length * SECONDS_PER_STRUCTURE
  return {
    poses,
    seconds: Math.ceil(work / threads),
    ligands: found.map(({ target, chain, reference, references }) => ({
      target,
      chain,
      reference,
      references: references.map(({ id, heavyAtoms }) => ({ id, heavy_atoms: heavyAtoms })),
    })),
    without_ligand: plan.targets
      .filter((_, place) => ligands[place] === null)
      .map(({ name, chain }) => ({ target: name, chain })),
  }
}

export function countPoses({ total, targets }: Plan, ligands: PlannedStructure['ligands']): number {
  const placed = ligands.filter((ligand) => ligand !== null).length
  // Without targets there is nothing to divide.
  return placed === 0 ? 0 : (total / targets.length) * placed
}

/** Refuses more compounds than can be placed, and ligands that do not exist. */
export async function planStructure(
  { poses, weights }: StructureParts,
  userId: string,
  plan: Plan,
): Promise<PlannedStructure> {
  const compounds = plan.keys.filter((key) => key !== '').length
  if (compounds > STRUCTURE_COMPOUNDS_MAX) {
    throw new AppError(
      'invalid_request',
      `At most ${STRUCTURE_COMPOUNDS_MAX.toLocaleString('en')} compounds are placed in a structure, and this screen has ${compounds.toLocaleString('en')}. Screen fewer compounds, or leave the structure out.`,
    )
  }
  const ligands: PlannedStructure['ligands'] = []
  for (const target of plan.targets) ligands.push(await planLigand(poses, userId, target))
  return { ligands, weights }
}

async function planLigand(
  poses: StructureParts['poses'],
  userId: string,
  { name, chain, reference: wanted }: PlannedTarget,
): Promise<PlannedLigand | null> {
  const { references, own } = await poses.findReferences({ userId, name, chain })
  const reference = wanted ?? references[0]?.id
  if (reference === undefined) return null
  if (!references.some(({ id }) => id === reference)) {
    throw new AppError('invalid_request', `${name} has no ligand “${reference}”.`)
  }
  return { target: name, chain, reference, references, own: reference === OWN_LIGAND ? own : null }
}
