/** HTTP routes of user administration. */
import * as calls from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { isUuid } from '#server/platform/db/values.ts'
import type { Snapshots } from '#server/platform/db/snapshots.ts'
import type { Administrator } from '#server/auth/administrator.ts'
import { AppError } from '#server/platform/errors.ts'
import { listKeys } from '#server/auth/keys.ts'
import { adminRoute } from '#server/auth/guarded-routes.ts'
import { readLedger } from '#server/credits/service.ts'
import { readIdempotencyKey } from '#server/platform/http/idempotency.ts'
import type { App, Feature } from '#server/platform/http/route.ts'
import { createUserKey, revokeUserKey } from './user-keys.ts'
import { createInvitation } from './invitations.ts'
import { importUsers } from './import-users.ts'
import { readUserPage, streamUsers } from './list-users.ts'
import { ownKey } from './once.ts'
import { countByDay, readUsageOf } from './usage.ts'
import * as service from './service.ts'
import { changeCreditsOf, changeStatusOf } from './several-users.ts'
import type { AdminUserContext } from './store.ts'
import { readFilePage, streamFiles } from './user-files.ts'

export type AdminUsersDependencies = {
  db: Database
  snapshots: Snapshots
  initialCredits: number
  /** Counts what deleting a user would delete. */
  previewDeletion: (userId: string) => Promise<calls.DeletionPreview>
  now: () => Date
}

export function adminUsersRoutes(dependencies: AdminUsersDependencies): Feature {
  return (app) => {
    listRoutes(app, dependencies)
    severalRoutes(app, dependencies)
    usageRoutes(app, dependencies)
    userRoutes(app, dependencies)
    keyRoutes(app, dependencies)
  }
}

function listRoutes(
  app: App,
  { db, snapshots, initialCredits, now }: AdminUsersDependencies,
): void {
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
    const context = { administrator: administrator.email, now: now() }
    return service.createUser(db, context, { ...body, credits })
  })
}

function severalRoutes(app: App, { db, initialCredits, now }: AdminUsersDependencies): void {
  adminRoute(app, calls.changeCredits, async ({ body, administrator, request }) => {
    const key = ownKey(administrator.id, readIdempotencyKey(request))
    const { user_ids: userIds, ...order } = body
    const context = { administrator: administrator.email, now: now() }
    return changeCreditsOf(db, context, { userIds, ...order, key })
  })
  adminRoute(app, calls.changeStatus, async ({ body, administrator }) => {
    const context = { administrator: administrator.email, now: now() }
    const { user_ids: userIds, is_active: isActive } = body
    return changeStatusOf(db, context, { userIds, isActive })
  })
  adminRoute(app, calls.importUsers, async ({ body, administrator, request }) => {
    const key = ownKey(administrator.id, readIdempotencyKey(request))
    const context = { administrator: administrator.email, now: now() }
    return importUsers(db, context, { ...body, key, initialCredits })
  })
}

function usageRoutes(app: App, { db, now }: AdminUsersDependencies): void {
  adminRoute(app, calls.readUsageByDay, async ({ query: { days, user_id } }) => ({
    days: await countByDay(db, { days, userId: user_id ?? null, now: now() }),
  }))
  adminRoute(app, calls.listUserUsage, async ({ query }) => ({
    users: await readUsageOf(db, query.user_ids, now()),
  }))
}

function userRoutes(
  app: App,
  { db, snapshots, previewDeletion, now }: AdminUsersDependencies,
): void {
  adminRoute(app, calls.readUser, async ({ param }) => service.readUser(db, userIdIn(param)))
  adminRoute(app, calls.updateUser, async ({ param, body, administrator }) =>
    service.updateUser(db, contextOf(param, administrator, now()), body),
  )
  adminRoute(app, calls.previewUserDeletion, async ({ param }) => {
    const { _id } = await service.readUser(db, userIdIn(param))
    return previewDeletion(_id)
  })
  adminRoute(app, calls.deleteUser, async ({ param, administrator }) => {
    await service.removeUser(db, contextOf(param, administrator, now()))
    return { message: 'The user was deleted.' }
  })
  adminRoute(app, calls.setUserCredits, async ({ param, query, administrator }) =>
    service.updateUser(db, contextOf(param, administrator, now()), query),
  )
  adminRoute(app, calls.listUserFiles, async ({ param, query, reply }) => {
    const { _id } = await service.readUser(db, userIdIn(param))
    const { page } = query
    if (page === undefined) {
      void reply.type('application/json; charset=utf-8')
      return streamFiles(db, snapshots, _id)
    }
    const { total, files } = await readFilePage(db, _id, { ...query, page })
    void reply.header(calls.TOTAL_COUNT_HEADER, total)
    return { files }
  })
  adminRoute(app, calls.listUserLedger, async ({ param, query, reply }) => {
    const { total, entries } = await readLedger(db, userIdIn(param), query)
    void reply.header(calls.TOTAL_COUNT_HEADER, total)
    return { entries }
  })
}

function keyRoutes(app: App, { db, now }: AdminUsersDependencies): void {
  adminRoute(app, calls.createInvitation, async ({ param, administrator }) =>
    createInvitation(db, contextOf(param, administrator, now())),
  )
  adminRoute(app, calls.createUserKey, async ({ param, administrator }) =>
    createUserKey(db, contextOf(param, administrator, now())),
  )
  adminRoute(app, calls.listUserKeys, async ({ param }) => {
    const { _id } = await service.readUser(db, userIdIn(param))
    return { keys: await listKeys(db, _id, now()) }
  })
  adminRoute(app, calls.revokeUserKey, async ({ param, administrator }) => {
    const keyId = param('keyId')
    if (!isUuid(keyId)) throw new AppError('not_found', 'API key not found.')
    await revokeUserKey(db, contextOf(param, administrator, now()), keyId)
    return { message: 'The API key was revoked.' }
  })
}

type Param = (name: string) => string

function userIdIn(param: Param): string {
  const userId = param('userId')
  if (!isUuid(userId)) throw service.userNotFound()
  return userId
}

function contextOf(param: Param, { email }: Administrator, now: Date): AdminUserContext {
  return { administrator: email, userId: userIdIn(param), now }
}
