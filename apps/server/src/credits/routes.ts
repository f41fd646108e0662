/** HTTP face of credits. */
import { readCredits } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { readBalance } from './service.ts'

export function creditsRoutes(dependencies: { db: Database; perPrediction: number }): Feature {
  return (app) => {
    route(app, readCredits, async ({ userId }) => ({
      credits: await readBalance(dependencies.db, userId),
      credits_per_prediction: dependencies.perPrediction,
    }))
  }
}
