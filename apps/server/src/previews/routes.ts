/** HTTP routes for pictures of targets and compounds. */
import { drawCompounds, readCompoundPreview, readTargetPreview } from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import { type Feature } from '#server/platform/http/route.ts'
import type { Previews } from './service.ts'

export function previewRoutes(previews: Previews): Feature {
  return (app) => {
    route(app, readTargetPreview, ({ userId, param, query }) =>
      previews.target({ userId, name: param('name'), theme: query.theme }),
    )
    route(app, readCompoundPreview, ({ userId, param, query }) =>
      previews.compound({ userId, name: param('name'), theme: query.theme }),
    )
    route(app, drawCompounds, async ({ userId, body }) => ({
      pictures: await previews.compounds({ userId, ...body }),
    }))
  }
}
