/** Finds names for what was read from one file and keeps all of it, the file included, or nothing. */
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
  countBytes,
  countKept,
  holdUser,
  keepFile,
  type Kind,
  type NewFile,
  type Owner,
  readIdentities,
} from './store.ts'

const toGzip = promisify(gzip)

export type NamedUpload = {
  userId: string
  file: Upload
  kind: Kind
  requests: NameRequest[]
  now: Date
  storedBytesPerUser: number
  /** Of what is kept beside the file: the own columns of its compounds. */
  ownBytes?: number
}

/**
 * Answers a name for every request. `add` is called with the same, unless nothing is new; `renew` always, for
 * what is said anew of what was there.
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
    // Until the transaction ends, nobody else names anything for this user.
    await holdLock(trx, 'fileNames', userId)
    await expectActive(trx, userId)
    const assigned = assignNames(upload.requests, await readTaken(trx, upload))
    const added = assigned.filter(({ isNew }) => isNew).length
    const ownBytes = upload.ownBytes ?? 0
    if (added + ownBytes > 0) {
      await expectBytes(trx, upload, ownBytes + (added > 0 ? upload.file.bytes.length : 0))
    }
    await renew?.(trx, assigned)
    if (added > 0) {
      await expectRoom(trx, upload, added)
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

async function expectRoom(trx: Trx, { userId, kind }: NamedUpload, added: number): Promise<void> {
  const kept = await countKept(trx, kind, userId)
  if (kept + added <= keptMax[kind]) return
  const most = keptMax[kind].toLocaleString('en')
  throw new AppError(
    'conflict',
    `You have ${kept.toLocaleString('en')} ${kind}, and ${most} is the most that can be kept. ` +
      'Nothing of this file was added.',
  )
}

/** Uploads of one user come by one after another, so that none can pass while another is counted. */
async function expectBytes(trx: Trx, upload: NamedUpload, more: number): Promise<void> {
  const { userId, file, storedBytesPerUser: most } = upload
  const used = await countBytes(trx, userId)
  if (used + more <= most) return
  throw new AppError(
    'file_too_large',
    `Your files take ${readableBytes(used)}, and ${readableBytes(most)} is the most that is kept for one user. ` +
      `This file of ${readableBytes(file.bytes.length)} was not added.`,
  )
}

async function toRow({ userId, file, now }: NamedUpload): Promise<NewFile> {
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
