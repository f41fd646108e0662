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
import type { Poses } from './service.ts'

const mediaTypes = { sdf: 'chemical/x-mdl-sdfile', pdb: 'chemical/x-pdb' }

export function poseRoutes(poses: Poses): Feature {
  return (app) => {
    route(app, readPose, ({ userId, query }) => poses.read({ userId, ...query }))
    route(app, readReferences, ({ userId, query }) => poses.readReferences({ userId, ...query }))
    route(app, keepOwnLigand, ({ userId, body: { sdf, smiles = '', ...of } }) =>
      poses.keepLigand({ userId, ...of, given: sdf === undefined ? { smiles } : { sdf } }),
    )
    route(app, removeOwnLigand, ({ userId, query }) => poses.removeLigand({ userId, ...query }))
    route(app, downloadPose, async ({ userId, query, reply }) => {
      const text = await poses.download({ userId, ...query })
      void reply.type(mediaTypes[query.format])
      void reply.header('Content-Disposition', `attachment; filename="pose.${query.format}"`)
      return text
    })
  }
}
