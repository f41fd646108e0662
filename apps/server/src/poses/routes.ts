/** HTTP routes for poses. */
import {
  downloadPose,
  keepOwnLigand,
  readPose,
  readReferences,
  removeOwnLigand,
} from '@pkdex/contract'
import { route } from '#server/auth/guarded-routes.ts'
import type { Feature } from '#server/platform/http/route.ts'
import { sharedRoute } from '#server/sharing/service.ts'
import type { Poses } from './service.ts'

const mediaTypes = { sdf: 'chemical/x-mdl-sdfile', pdb: 'chemical/x-pdb' }

type Named = { target: string; compound?: string }

const named = ({ query: { target, compound } }: { query: Named }) => ({ target, compound })

export function poseRoutes(poses: Poses): Feature {
  return (app) => {
    sharedRoute(app, readPose, named, ({ userId, caller, query }) =>
      poses.read({ userId, callerId: caller.userId, ...query }),
    )
    sharedRoute(app, readReferences, named, ({ userId, caller, query }) =>
      poses.readReferences({ userId, callerId: caller.userId, ...query }),
    )
    route(app, keepOwnLigand, ({ userId, body: { sdf, smiles = '', ...of } }) =>
      poses.keepLigand({ userId, ...of, given: sdf === undefined ? { smiles } : { sdf } }),
    )
    route(app, removeOwnLigand, ({ userId, query }) => poses.removeLigand({ userId, ...query }))
    const exported = ({ query }: { query: Named }) => ({ ...named({ query }), isExport: true })
    sharedRoute(app, downloadPose, exported, async ({ userId, caller, query, reply }) => {
      const text = await poses.download({ userId, callerId: caller.userId, ...query })
      void reply.type(mediaTypes[query.format])
      void reply.header('Content-Disposition', `attachment; filename="pose.${query.format}"`)
      return text
    })
  }
}
