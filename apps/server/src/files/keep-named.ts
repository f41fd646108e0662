/** Assigns names to the items of one file and stores all of them with the file, or nothing. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { messages } from '@pkdex/contract'
import type { Database, Trx } from '#server/platform/db/schema.ts'
import { holdLock, inTransaction } from '#server/platform/db/transaction.ts'
import { AppError } from '#server/platform/errors.ts'
import { inactiveUser } from '#server/auth/caller.ts'
import { type Assigned, assignNames, type NameRequest } from './names.ts'
import { readableBytes, type Upload } from './read-upload.ts'
import {
  countStored,
  holdUser,
  keepFile,
  type Kind,
  type NewFile,
  type Owner,
  readIdentities,
  expectBytes,
} from './store.ts'

const toGzip = promisify(gzip)

export type NamedUpload = {
  userId: string
  file: Upload
  kind: Kind
  requests: NameRequest[]
  now: Date
  storedBytesPerUser: number
  /** Bytes stored with the file: the user's own columns of its compounds. */
  ownBytes?: number
}

/**
 * Returns a name for every request. `add` gets these names and is not called if nothing is new; `renew` is always
 * called, because an upload may change data of existing items.
 */
export async function keepNamed(
  db: Database,
  upload: NamedUpload,
  add: (trx: Trx, owner: Owner, assigned: Assigned[]) => Promise<void>,
  renew?: (trx: Trx, assigned: Assigned[]) => Promise<void>,
): Promise<Assigned[]> {
  const { userId, now } = upload
  const file = await toRow(upload)
  return inTransaction(db, async (trx) => {
    // Serialises names per user until the transaction ends.
    await holdLock(trx, 'fileNames', userId)
    await expectActive(trx, userId)
    const assigned = assignNames(upload.requests, await readTaken(trx, upload))
    const added = assigned.filter(({ isNew }) => isNew).length
    const ownBytes = upload.ownBytes ?? 0
    if (added + ownBytes > 0) {
      const size = keptOf(upload.file).bytes.length
      await expectBytes(trx, {
        userId,
        more: ownBytes + (added > 0 ? size : 0),
        most: upload.storedBytesPerUser,
        refused: `This file (${readableBytes(size)}) was not added.`,
      })
    }
    await renew?.(trx, assigned)
    if (added > 0) {
      await expectRoom(trx, upload, added)
      await add(trx, { userId, now, fileId: await keepFile(trx, file) }, assigned)
    }
    return assigned
  })
}

/** The user may have been deleted or deactivated while the file was read. */
async function expectActive(trx: Trx, userId: string): Promise<void> {
  const isActive = await holdUser(trx, userId)
  if (isActive === null) throw new AppError('not_signed_in', messages.sessionExpired)
  if (!isActive) throw inactiveUser()
}

/** Lists are returned whole: one user's items must not fill the memory shared by all. */
export const keptMax = { targets: 2000, compounds: 50_000 }

async function expectRoom(trx: Trx, { userId, kind }: NamedUpload, added: number): Promise<void> {
  const stored = await countStored(trx, kind, userId)
  if (stored + added <= keptMax[kind]) return
  const most = keptMax[kind].toLocaleString('en')
  throw new AppError(
    'conflict',
    `You have ${stored.toLocaleString('en')} ${kind}; the maximum is ${most}. ` +
      'Nothing from this file was added.',
  )
}

/** What the user has on disk, not what was made of it. */
function keptOf(file: Upload) {
  return file.original ?? file
}

async function toRow({ userId, file, now }: NamedUpload): Promise<NewFile> {
  const { filename, sha256, bytes } = keptOf(file)
  return {
    user_id: userId,
    file_type: file.fileType,
    filename,
    sha256,
    size_bytes: bytes.length,
    content: await toGzip(bytes),
    uploaded_at: now,
  }
}

/** Identities of the wanted names, or of all the user's names if a wanted name is in use for something else. */
async function readTaken(
  trx: Trx,
  { userId, kind, requests }: NamedUpload,
): Promise<Map<string, string>> {
  const wanted = new Map<string, string>()
  let isClear = true
  for (const request of requests) {
    isClear &&= (wanted.get(request.wanted) ?? request.identity) === request.identity
    wanted.set(request.wanted, request.identity)
  }
  const taken = await readIdentities(trx, kind, { userId, names: [...wanted.keys()] })
  for (const [name, identity] of taken) isClear &&= wanted.get(name) === identity
  return isClear ? taken : readIdentities(trx, kind, { userId, names: null })
}
