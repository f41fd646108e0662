/** HTTP routes for pictures of targets and compounds. */
import { drawCompounds, readCompoundPreview, readTargetPreview } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { type Feature } from '#server/platform/http/route.ts'
import { sharedRoute } from '#server/sharing/service.ts'
import type { Previews } from './service.ts'

export function previewRoutes(previews: Previews): Feature {
  return (app) => {
    sharedRoute(
      app,
      readTargetPreview,
      ({ param }) => ({ target: param('name') }),
      ({ userId, param, query }) =>
        previews.target({ userId, name: param('name'), theme: query.theme }),
    )
    sharedRoute(
      app,
      readCompoundPreview,
      ({ param }) => ({ compound: param('name') }),
      ({ userId, param, query }) =>
        previews.compound({ userId, name: param('name'), theme: query.theme }),
    )
    route(app, drawCompounds, async ({ userId, body }) => ({
      pictures: await previews.compounds({ userId, ...body }),
    }))
  }
}
