/** HTTP routes for evidence and receipts. */
import { readAlikeEvidence, readAtomEvidence, readPairDetails, readReceipt } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { AddOwnValues } from '#server/measurements/service.ts'
import type { Feature } from '#server/platform/http/route.ts'
import type { Evidence } from './service.ts'

export function evidenceRoutes(
  evidence: Omit<Evidence, 'close'>,
  addOwnValues: AddOwnValues,
): Feature {
  return (app) => {
    route(app, readPairDetails, ({ userId, query }) =>
      evidence.details({ userId, ...query }, addOwnValues),
    )
    route(app, readAtomEvidence, ({ userId, query }) => evidence.atoms({ userId, ...query }))
    route(app, readAlikeEvidence, ({ userId, query }) => evidence.alike({ userId, ...query }))
    route(app, readReceipt, ({ userId, query }) => evidence.receipt({ userId, ...query }))
  }
}
