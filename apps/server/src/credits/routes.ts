/** HTTP face of credits. */
import { readCredits } from '@pkdex/contract'
import type { Database } from '#server/db/schema.ts'
import { type Feature, route } from '#server/http/route.ts'
import { readBalance } from './service.ts'

export function creditsRoutes(parts: { db: Database; perPrediction: number }): Feature {
  return (app) => {
    route(app, readCredits, async ({ userId }) => ({
      credits: await readBalance(parts.db, userId),
      credits_per_prediction: parts.perPrediction,
    }))
  }
}
