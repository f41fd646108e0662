/** The endpoints with which owners share screens, and the list of what is shared with a user. */
import * as calls from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { endShare, listShared, listShares, shareScreen } from './service.ts'

type Dependencies = {
  db: Database
  /** Refuses a screen that is not the user's own. */
  expectOwn: (userId: string, id: string) => Promise<{ id: string }>
}

export function sharingRoutes({ db, expectOwn }: Dependencies): Feature {
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
      return { shares: await endShare(db, { userId, screenId, shareId: param('shareId') }) }
    })
    route(app, calls.listShared, async ({ userId }) => ({ screens: await listShared(db, userId) }))
  }
}
