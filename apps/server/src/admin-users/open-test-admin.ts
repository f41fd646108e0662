/** The administration on a fresh database, beside a user's own calls, and an administrator to call it. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { adminAuthRoutes } from '#server/auth/admin/routes.ts'
import {
  openTestAdministrator,
  type TestAdministrator,
} from '#server/auth/admin/open-test-administrator.ts'
import { adminDatabaseRoutes } from '#server/admin-database/routes.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import { openSnapshots } from '#server/platform/db/snapshots.ts'
import { openTestApp, type TestApp } from '#server/platform/http/open-test-app.ts'
import { adminUsersRoutes } from './routes.ts'

export type TestAdmin = TestApp & {
  administrator: TestAdministrator
  /** As the administrator. */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<LightMyRequestResponse>
}

export const INITIAL_CREDITS = 100

export async function openTestAdmin(): Promise<TestAdmin> {
  const t = await openTestApp({
    features: (database) => {
      const { db } = database
      const { now } = database.clock
      const snapshots = openSnapshots(database)
      return [
        adminAuthRoutes({ db, now }),
        adminUsersRoutes({ db, snapshots, initialCredits: INITIAL_CREDITS, now }),
        adminDatabaseRoutes({ db, snapshots, now }),
        creditsRoutes({ db, perPrediction: 1 }),
      ]
    },
  })
  const administrator = await openTestAdministrator(t.db, t.clock.now())
  return {
    ...t,
    administrator,
    call(method, url, payload) {
      const request: InjectOptions = { method, url, headers: administrator.headers }
      return t.app.inject(payload === undefined ? request : { ...request, payload })
    },
  }
}
