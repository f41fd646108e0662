/** Ligands of a target that compounds can be placed on: those of its structure, and the user's own. */
import { LRUCache } from 'lru-cache'
import { OWN_LIGAND, type PoseReferences } from '@pkdex/contract'
import { expectTarget, readStructure } from '#server/files/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Outcome } from '#server/platform/jobs/thread-pool.ts'
import { findOwnLigand, keepOwnLigand, removeOwnLigand } from './own-ligands.ts'
import type { CheckedLigand, GivenLigand, References } from './pose-tasks.ts'

type TargetRequest = {
  userId: string
  /** Whose turn it takes, if another user may read the target. */
  callerId?: string
  target: string
  chain?: string | undefined
}

/** Ligands to select from, the suggested one first. `own`: the molecule file of the user's own ligand. */
export type FoundReferences = { references: References; own: string | null }

export type Ligands = {
  /** None if the structure is too complex. */
  findReferences(target: { userId: string; name: string; chain: string }): Promise<FoundReferences>
  readReferences(request: TargetRequest): Promise<PoseReferences>
  /** Refuses a ligand on which compounds cannot be placed, with the reason. */
  keepLigand(request: TargetRequest & { given: GivenLigand }): Promise<PoseReferences>
  removeLigand(request: TargetRequest): Promise<PoseReferences>
}

type Site = { content: string; chain: string }
type Dependencies = {
  db: Database
  storedBytesPerUser: number
  list: (userId: string, site: Site) => Promise<Outcome<References>>
  check: (userId: string, ligand: Site & { given: GivenLigand }) => Promise<Outcome<CheckedLigand>>
}

/** A quote asks for the ligands of all targets whenever the selection changes. */
const KNOWN_STRUCTURES = 1000

export function openLigands({ db, storedBytesPerUser, list, check }: Dependencies): Ligands {
  const known = new LRUCache<string, References>({ max: KNOWN_STRUCTURES })

  async function findAll(request: TargetRequest) {
    const { userId, callerId = userId } = request
    const { target, chain, targetId, contentHash } = await findChain(db, request)
    const ownLigand = await findOwnLigand(db, { userId, targetId })
    const own = ownLigand === null ? [] : [{ id: OWN_LIGAND, heavyAtoms: ownLigand.heavyAtoms }]
    const key = `${contentHash.toString('base64')} ${chain}`
    const listed = known.get(key) ?? (await listNew(callerId, { key, userId, target, chain }))
    return { target, chain, references: listed && [...own, ...listed], ownLigand }
  }

  type Unknown = { key: string; userId: string; target: string; chain: string }

  /** Null if the structure is too complex. */
  async function listNew(callerId: string, { key, userId, target, chain }: Unknown) {
    const { content } = await readStructure(db, userId, target)
    const outcome = await list(callerId, { content, chain })
    if (outcome.kind !== 'done') return null
    known.set(key, outcome.output)
    return outcome.output
  }

  async function readReferences(request: TargetRequest): Promise<PoseReferences> {
    const { target, chain, references, ownLigand } = await findAll(request)
    if (references === null) {
      throw new AppError('file_unreadable', `${target} is too complex to place compounds in.`)
    }
    const own = ownLigand && {
      smiles: ownLigand.smiles,
      heavy_atoms: ownLigand.heavyAtoms,
      coordinates_of: ownLigand.of,
    }
    return { target, chain, references: references.map(referenceToWire), own }
  }

  return {
    async findReferences({ userId, name, chain }) {
      const { references, ownLigand } = await findAll({ userId, target: name, chain })
      return { references: references ?? [], own: ownLigand?.molfile ?? null }
    },
    readReferences,
    async keepLigand({ given, ...request }) {
      const { userId } = request
      const { target, chain, targetId } = await findChain(db, request)
      const { content } = await readStructure(db, userId, target)
      const outcome = await check(userId, { content, chain, given })
      if (outcome.kind !== 'done') {
        throw new AppError('invalid_request', 'The ligand is too complex to be read.')
      }
      if (!outcome.output.ok) throw new AppError('invalid_request', outcome.output.reason)
      await keepOwnLigand(db, { userId, targetId, storedBytesPerUser }, outcome.output)
      return readReferences(request)
    },
    async removeLigand(request) {
      const { userId } = request
      const { targetId } = await findChain(db, request)
      await removeOwnLigand(db, { userId, targetId })
      return readReferences(request)
    },
  }
}

export async function findChain(db: Database, request: TargetRequest) {
  const target = await expectTarget(db, request.userId, request.target)
  const chain = request.chain ?? target.chain
  if (target.segments[chain] === undefined) {
    throw new AppError('not_found', `${target.name} has no protein chain ${chain}.`)
  }
  return { target: target.name, targetId: target.id, contentHash: target.content_hash, chain }
}

export function referenceToWire({ id, heavyAtoms }: References[number]) {
  return { id, heavy_atoms: heavyAtoms }
}
