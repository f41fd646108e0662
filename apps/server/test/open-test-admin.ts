/** The user administration and a user's endpoints on a fresh database, with an administrator signed in. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { adminAuthRoutes } from '#server/auth/admin/routes.ts'
import { openTestAdministrator, type TestAdministrator } from './factories.ts'
import { adminDatabaseRoutes } from '#server/admin-database/routes.ts'
import { creditsRoutes } from '#server/credits/routes.ts'
import { type CountAffected, previewDeletion } from '#server/files/service.ts'
import { countValuesOf } from '#server/measurements/service.ts'
import { openSnapshots } from '#server/platform/db/snapshots.ts'
import { countTasksOf } from '#server/predictions/service.ts'
import { openTestApp, type TestApp } from './open-test-app.ts'
import { adminUsersRoutes } from '#server/admin-users/routes.ts'

export type TestAdmin = TestApp & {
  administrator: TestAdministrator
  /** Sends a request as the administrator. */
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
      const countAffected: CountAffected = async (userId, what) => ({
        ...(await countTasksOf(db, userId, what)),
        measured_values: await countValuesOf(db, userId, what),
      })
      return [
        adminAuthRoutes({ db, now }),
        adminUsersRoutes({
          db,
          snapshots,
          initialCredits: INITIAL_CREDITS,
          previewDeletion: (userId) => previewDeletion({ db, countAffected }, userId, {}),
          now,
        }),
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
