/** The calls that say what a number rests on. */
import { readAlikeEvidence, readAtomEvidence, readReceipt } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Feature } from '#server/platform/http/route.ts'
import type { Evidence } from './service.ts'

export function evidenceRoutes(evidence: Pick<Evidence, 'atoms' | 'alike' | 'receipt'>): Feature {
  return (app) => {
    route(app, readAtomEvidence, ({ userId, query }) => evidence.atoms({ userId, ...query }))
    route(app, readAlikeEvidence, ({ userId, query }) => evidence.alike({ userId, ...query }))
    route(app, readReceipt, ({ userId, query }) => evidence.receipt({ userId, ...query }))
  }
}
