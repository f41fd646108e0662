/** Finds names for what was read from one file and keeps all of it, the file included, or nothing. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { messages } from '@pkdex/contract'
import type { Database, Trx } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import { inactiveUser } from '#server/http/caller.ts'
import { type Assigned, assignNames, type Claim } from './names.ts'
import type { Upload } from './read-upload.ts'
import {
  countKept,
  holdUser,
  keepFile,
  type Kind,
  lockNames,
  type NewFile,
  type Owner,
  readIdentities,
} from './store.ts'

const toGzip = promisify(gzip)

export type Intake = { userId: string; file: Upload; kind: Kind; claims: Claim[]; now: Date }

/** Answers a name for every claim. `add` is called with the same, unless nothing is new. */
export async function keepNamed(
  db: Database,
  intake: Intake,
  add: (trx: Trx, owner: Owner, assigned: Assigned[]) => Promise<void>,
): Promise<Assigned[]> {
  const { userId, now } = intake
  const file = await toRow(intake)
  return inTransaction(db, async (trx) => {
    await lockNames(trx, userId)
    await expectActive(trx, userId)
    const assigned = assignNames(intake.claims, await readTaken(trx, intake))
    const added = assigned.filter(({ isNew }) => isNew).length
    if (added > 0) {
      await expectRoom(trx, intake, added)
      await add(trx, { userId, now, fileId: await keepFile(trx, file) }, assigned)
    }
    return assigned
  })
}

/** The user may have been deleted or switched off while the file was read. */
async function expectActive(trx: Trx, userId: string): Promise<void> {
  const isActive = await holdUser(trx, userId)
  if (isActive === null) throw new AppError('not_signed_in', messages.sessionExpired)
  if (!isActive) throw inactiveUser()
}

/** Lists are answered whole: what one user keeps must not fill the memory of all. */
export const keptMax = { targets: 2000, compounds: 50_000 }

async function expectRoom(trx: Trx, { userId, kind }: Intake, added: number): Promise<void> {
  const kept = await countKept(trx, kind, userId)
  if (kept + added <= keptMax[kind]) return
  const most = keptMax[kind].toLocaleString('en')
  throw new AppError(
    'conflict',
    `You have ${kept.toLocaleString('en')} ${kind}, and ${most} is the most that can be kept. ` +
      'Nothing of this file was added.',
  )
}

async function toRow({ userId, file, now }: Intake): Promise<NewFile> {
  return {
    user_id: userId,
    file_type: file.fileType,
    filename: file.filename,
    sha256: file.sha256,
    size_bytes: file.bytes.length,
    content: await toGzip(file.bytes),
    uploaded_at: now,
  }
}

/** The holders of the wanted names; of all names where one of them is wanted for something else. */
async function readTaken(trx: Trx, { userId, kind, claims }: Intake): Promise<Map<string, string>> {
  const wanted = new Map<string, string>()
  let isClear = true
  for (const claim of claims) {
    isClear &&= (wanted.get(claim.wanted) ?? claim.identity) === claim.identity
    wanted.set(claim.wanted, claim.identity)
  }
  const taken = await readIdentities(trx, kind, { userId, names: [...wanted.keys()] })
  for (const [name, identity] of taken) isClear &&= wanted.get(name) === identity
  return isClear ? taken : readIdentities(trx, kind, { userId, names: null })
}
