/** HTTP routes for evidence and receipts. */
import {
  readSimilarEvidence,
  readAtomEvidence,
  readModelFigures,
  readPairDetails,
  readReceipt,
  readTargetEvidence,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { BestEstimates } from '#server/predictions/service.ts'
import { sharedRoute } from '#server/sharing/service.ts'
import { type Feature, openRoute } from '#server/platform/http/route.ts'
import type { Evidence } from './service.ts'

export function evidenceRoutes(evidence: Omit<Evidence, 'close'>, best: BestEstimates): Feature {
  return (app) => {
    route(app, readPairDetails, ({ userId, query }) => evidence.details({ userId, ...query }, best))
    route(app, readAtomEvidence, ({ userId, query }) => evidence.atoms({ userId, ...query }))
    route(app, readSimilarEvidence, ({ userId, query }) => evidence.similar({ userId, ...query }))
    openRoute(app, readModelFigures, async () => evidence.figures)
    sharedRoute(
      app,
      readTargetEvidence,
      ({ query }) => query,
      ({ userId, caller, query }) => evidence.target({ userId, callerId: caller.userId, ...query }),
    )
    route(app, readReceipt, ({ userId, query }) => evidence.receipt({ userId, ...query }))
  }
}
