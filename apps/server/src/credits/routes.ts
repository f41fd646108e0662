/** HTTP routes for credits. */
import { listLedger, readCredits, TOTAL_COUNT_HEADER } from '@pkdex/contract'
import type { Database } from '#server/platform/db/schema.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { readBalance, readLedger } from './service.ts'

export function creditsRoutes(dependencies: { db: Database; perPrediction: number }): Feature {
  return (app) => {
    route(app, readCredits, async ({ userId }) => ({
      credits: await readBalance(dependencies.db, userId),
      credits_per_prediction: dependencies.perPrediction,
    }))
    route(app, listLedger, async ({ userId, query, reply }) => {
      const { total, entries } = await readLedger(dependencies.db, userId, query)
      void reply.header(TOTAL_COUNT_HEADER, total)
      return { entries: entries.map(({ actor: _actor, note: _note, ...entry }) => entry) }
    })
  }
}
