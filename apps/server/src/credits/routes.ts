/** HTTP routes for credits. */
import { listLedger, readCredits, TOTAL_COUNT_HEADER } from '@pkdex/contract'
import { readNews } from '#server/comments/service.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { route } from '#server/auth/guarded-routes.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { readHeader, readLedger } from './service.ts'

export function creditsRoutes(dependencies: { db: Database; perPrediction: number }): Feature {
  return (app) => {
    route(app, readCredits, async ({ userId }) => {
      const { credits, has_news } = await readHeader(dependencies.db, userId)
      const news = has_news ? await readNews(dependencies.db, userId) : []
      return {
        credits,
        credits_per_prediction: dependencies.perPrediction,
        ...(news.length > 0 && { news }),
      }
    })
    route(app, listLedger, async ({ userId, query, reply }) => {
      const { total, entries } = await readLedger(dependencies.db, userId, query)
      void reply.header(TOTAL_COUNT_HEADER, total)
      return { entries: entries.map(({ actor: _actor, note: _note, ...entry }) => entry) }
    })
  }
}
