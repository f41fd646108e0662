/** HTTP face of the administration of users. */
import * as calls from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import type { Snapshots } from '#server/db/snapshots.ts'
import type { Administrator } from '#server/http/administrator.ts'
import { AppError } from '#server/http/app-error.ts'
import { adminRoute, type App, type Feature } from '#server/http/route.ts'
import type { Deed } from './deed.ts'
import { createUserKey, listUserKeys, revokeUserKey } from './keys.ts'
import { readUserPage, streamUsers } from './list-users.ts'
import * as service from './service.ts'
import { filesOf, ledgerOf } from './store.ts'

export type AdminUsersParts = {
  db: Database
  snapshots: Snapshots
  initialCredits: number
  now: () => Date
}

export function adminUsersRoutes(parts: AdminUsersParts): Feature {
  return (app) => {
    listRoutes(app, parts)
    userRoutes(app, parts)
    keyRoutes(app, parts)
  }
}

function listRoutes(app: App, { db, snapshots, initialCredits, now }: AdminUsersParts): void {
  adminRoute(app, calls.listUsers, async ({ query, reply }) => {
    const { page } = query
    if (page === undefined) {
      void reply.type('application/json; charset=utf-8')
      return streamUsers(db, snapshots, query)
    }
    const { total, users } = await readUserPage(db, { ...query, page })
    void reply.header(calls.TOTAL_COUNT_HEADER, total)
    return users
  })
  adminRoute(app, calls.createUser, async ({ body, administrator }) => {
    const credits = body.credits ?? initialCredits
    const deed = { administrator: administrator.email, now: now() }
    return service.createUser(db, deed, { ...body, credits })
  })
}

function userRoutes(app: App, { db, now }: AdminUsersParts): void {
  adminRoute(app, calls.readUser, async ({ param }) => service.readUser(db, userIdIn(param)))
  adminRoute(app, calls.updateUser, async ({ param, body, administrator }) =>
    service.updateUser(db, deedOf(param, administrator, now()), body),
  )
  adminRoute(app, calls.deleteUser, async ({ param, administrator }) => {
    await service.removeUser(db, deedOf(param, administrator, now()))
    return { message: 'The user was deleted.' }
  })
  adminRoute(app, calls.setUserCredits, async ({ param, query, administrator }) =>
    service.updateUser(db, deedOf(param, administrator, now()), query),
  )
  adminRoute(app, calls.listUserFiles, async ({ param }) => {
    const { _id } = await service.readUser(db, userIdIn(param))
    const files = await filesOf(db, _id)
    return {
      files: files.map(({ id, filename, file_type, uploaded_at, size_bytes }) => ({
        id,
        filename,
        fileType: file_type,
        uploadDate: uploaded_at.toISOString(),
        size: size_bytes,
      })),
    }
  })
  adminRoute(app, calls.listUserLedger, async ({ param, query, reply }) => {
    // The ledger outlives the user, so whoever has the id may still read it.
    const { total, entries } = await ledgerOf(db, userIdIn(param), query)
    void reply.header(calls.TOTAL_COUNT_HEADER, total)
    return {
      entries: entries.map(({ id, created_at, ...entry }) => ({
        ...entry,
        id: String(id),
        created_at: created_at.toISOString(),
      })),
    }
  })
}

function keyRoutes(app: App, { db, now }: AdminUsersParts): void {
  adminRoute(app, calls.createUserKey, async ({ param, administrator }) =>
    createUserKey(db, deedOf(param, administrator, now())),
  )
  adminRoute(app, calls.listUserKeys, async ({ param }) => {
    const { _id } = await service.readUser(db, userIdIn(param))
    return { keys: await listUserKeys(db, _id) }
  })
  adminRoute(app, calls.revokeUserKey, async ({ param, administrator }) => {
    const keyId = param('keyId')
    if (!uuid.test(keyId)) throw new AppError('not_found', 'This user has no such API key.')
    await revokeUserKey(db, deedOf(param, administrator, now()), keyId)
    return { message: 'The API key was revoked.' }
  })
}

type Param = (name: string) => string

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function userIdIn(param: Param): string {
  const userId = param('userId')
  if (!uuid.test(userId)) throw service.userNotFound()
  return userId
}

function deedOf(param: Param, { email }: Administrator, now: Date): Deed {
  return { administrator: email, userId: userIdIn(param), now }
}
