/** The endpoints with which owners share screens, and the list of what is shared with a user. */
import * as calls from '@pkdex/contract'
import { adminRoute, route } from '#server/auth/guarded-routes.ts'
import { isUuid } from '#server/platform/db/values.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { openPlaces } from '#server/platform/limits/places.ts'
import { copyScreen, type CopyParts } from './copy.ts'
import { endShare, listShared, listShares, listUserShares, shareScreen } from './service.ts'

type Dependencies = CopyParts & {
  /** Refuses a screen that is not the user's own. */
  expectOwn: (userId: string, id: string) => Promise<{ id: string }>
}

export function sharingRoutes(dependencies: Dependencies): Feature {
  const { db, expectOwn } = dependencies
  const copies = openPlaces({ perUser: 1 })
  return (app) => {
    route(app, calls.listShares, async ({ userId, param }) => {
      const { id } = await expectOwn(userId, param('id'))
      return { shares: await listShares(db, id) }
    })
    route(app, calls.shareScreen, async ({ userId, param, body }) => {
      const { id: screenId } = await expectOwn(userId, param('id'))
      return { shares: await shareScreen(db, { userId, screenId, ...body, now: app.now() }) }
    })
    route(app, calls.endShare, async ({ userId, param }) => {
      const { id: screenId } = await expectOwn(userId, param('id'))
      const shareId = param('shareId')
      await endShare(db, { userId, shareId, administrator: 'user', now: app.now() })
      return { shares: await listShares(db, screenId) }
    })
    route(app, calls.copyScreen, ({ userId, param, body, gone, request }) => {
      const asked = { viewerId: userId, screenId: param('id'), choice: body, gone }
      return copies.use(userId, () => copyScreen(dependencies, { ...asked, reqId: request.id }), {
        gone,
      })
    })
    adminRoute(app, calls.listUserShares, async ({ param }) => {
      const userId = param('userId')
      return { shares: isUuid(userId) ? await listUserShares(db, userId) : [] }
    })
    adminRoute(app, calls.endUserShare, async ({ param, administrator: { email } }) => {
      const [userId, shareId] = [param('userId'), param('shareId')]
      const ended = { userId, shareId, administrator: email, now: app.now() }
      if (isUuid(userId) && (await endShare(db, ended))) return { message: 'The share was ended.' }
      throw new AppError('not_found', 'Share not found.')
    })
    route(app, calls.listShared, async ({ userId }) => ({ screens: await listShared(db, userId) }))
  }
}
