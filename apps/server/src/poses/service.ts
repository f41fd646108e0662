/** Places a user's compounds on the ligand of a structure, off the main thread. These poses are not stored; those of screens are. */
import { OWN_LIGAND, POSE_LABEL, type Pose } from '@pkdex/contract'
import { expectCompound, readStructure } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import { busy, openPlaces } from '#server/platform/limits/places.ts'
import { openThreadPool } from '#server/platform/jobs/thread-pool.ts'
import type * as tasks from './pose-tasks.ts'
import { findChain, type Ligands, openLigands, referenceToWire } from './ligands.ts'
import { findOwnLigand } from './own-ligands.ts'
import type { StoredPose, PoseAnswer, PoseDetails } from './pose-tasks.ts'
import { IDLE_MS, STEP_MS_MAX, THREAD_MEMORY_MB_MAX } from './placer.ts'
import { round } from '#server/platform/round.ts'

export { openPlacer, type Placer } from './placer.ts'
export type { FoundReferences } from './ligands.ts'
export type { ManyAnswer } from './pose-tasks.ts'

type PoseRequest = {
  userId: string
  /** Whose turn it takes, if another user may read the pair. */
  callerId?: string
  target: string
  compound: string
  chain?: string | undefined
  reference?: string | undefined
}

export type Poses = Ligands & {
  read(request: PoseRequest): Promise<Pose>
  /** The text of the file; it is an error if the compound has no pose. */
  download(request: PoseRequest & { format: 'sdf' | 'pdb' }): Promise<string>
  /** SDF records. Waits for its turn, however long the queue is, because a download that has started must not fail. */
  writeStored(userId: string, poses: StoredPose[]): Promise<string>
  close(): Promise<void>
}

/** Maximum number of waiting requests per user. */
const WAITING_MAX = 8

type Dependencies = { db: Database; storedBytesPerUser: number }

export function openPoses({ db, storedBytesPerUser }: Dependencies): Poses {
  const pool = openThreadPool<typeof tasks>({
    file: new URL('pose-tasks.ts', import.meta.url),
    threads: 1,
    memoryMbMax: THREAD_MEMORY_MB_MAX,
    idleMs: IDLE_MS,
  })
  const refusal = busy('Your last poses are still being computed.')
  const places = openPlaces({ all: 1, perUser: 1, waitingMax: WAITING_MAX, refusal })

  async function place(request: PoseRequest, format: 'sdf' | 'pdb') {
    const { userId, callerId = userId } = request
    const found = await findPair(db, request)
    const { content } = await readStructure(db, userId, request.target)
    const { chain, smiles, compound, targetId } = found
    const file = { format, label: POSE_LABEL, name: compound }
    const reference = request.reference ?? null
    const own = (await findOwnLigand(db, { userId, targetId }))?.molfile ?? null
    const outcome = await places.use(callerId, () =>
      pool.run('placeOne', { content, chain, reference, own, smiles, file }, STEP_MS_MAX),
    )
    if (outcome.kind === 'done') return { ...found, own, answer: outcome.output }
    if (outcome.step === 0) throw new Error('the pose thread did not start', { cause: outcome })
    throw new AppError('file_unreadable', `${compound} is too complex to place.`)
  }

  const ligands = openLigands({
    db,
    storedBytesPerUser,
    list: (userId, site) => places.use(userId, () => pool.run('findReferences', site, STEP_MS_MAX)),
    check: (userId, ligand) =>
      places.use(userId, () => pool.run('checkLigand', ligand, STEP_MS_MAX)),
  })

  return {
    async read(request) {
      const { target, compound, chain, own, answer } = await place(request, 'sdf')
      const described = describe(answer)
      const used = described.reference === OWN_LIGAND ? own : null
      return { target, compound, chain, label: POSE_LABEL, ...described, own_ligand: used }
    },
    async download(request) {
      const { answer } = await place(request, request.format)
      if (answer.ok) return answer.pose.file
      throw new AppError('file_unreadable', answer.reason)
    },
    ...ligands,
    async writeStored(userId, poses) {
      const write = () => pool.run('writeStored', poses, STEP_MS_MAX)
      const outcome = await places.use(userId, write, { isPatient: true })
      if (outcome.kind === 'done') return outcome.output
      throw new Error('poses could not be written', { cause: outcome })
    },
    close: () => pool.close(),
  }
}

async function findPair(db: Database, request: PoseRequest) {
  const found = await findChain(db, request)
  const compound = await expectCompound(db, request.userId, request.compound)
  return { ...found, compound: compound.name, smiles: compound.standard_smiles }
}

function describe(answer: PoseAnswer): Pick<Pose, 'references' | 'reference' | 'pose' | 'reason'> {
  const references = answer.references.map(referenceToWire)
  const { reference } = answer
  if (!answer.ok) return { references, reference, pose: null, reason: answer.reason }
  return { references, reference, pose: toWire(answer.pose), reason: null }
}

function toWire(pose: PoseDetails): NonNullable<Pose['pose']> {
  return {
    energy: round(pose.energy, 3),
    mean_energy: round(pose.meanEnergy, 3),
    reference_energy: round(pose.referenceEnergy, 3),
    relative: round(pose.relative, 3),
    similarity: round(pose.similarity, 3),
    heavy_atoms: pose.heavyAtoms,
    core_atoms: pose.coreAtoms,
    keeps_stereo: pose.keepsStereo,
    contacts: pose.contacts.map(({ compoundAtom, distance, ...contact }) => ({
      ...contact,
      compound_atom: compoundAtom + 1,
      distance: round(distance, 3),
    })),
    sdf: pose.file,
  }
}
